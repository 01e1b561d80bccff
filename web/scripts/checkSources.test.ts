// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines of source code
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** What `npm run check:sources` finds in a web app of three files: the lists of paths and this one. */
function findingsIn(line: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'sources-'));
  folders.push(folder);
  for (const kept of ['package-lock.json', 'src/ui/page/paths.ts', 'src/app/routes.tsx'])
    cpSync(kept, join(folder, kept));
  mkdirSync(join(folder, 'src/features'));
  writeFileSync(join(folder, 'src/features/things.ts'), `${line}\n`);
  const script = join(process.cwd(), 'scripts/check-sources.mjs');
  return spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' }).stderr;
}

test.each([
  "navigate('/Withdraw');",
  'const href = `/withdraw/${number}`;',
  "const href = '/Withdraw?status=Paid';",
  'const href = `${origin}/Receipt?claim=1`;',
  "const path = '/Audit';",
  "const path = '/Settings/Import';",
  'const href = `${origin}/Invite#${code}`;',
])('a file that names the path of a screen is refused: %s', (line) => {
  expect(findingsIn(line)).toContain('things.ts: take the path of a screen from ui/page/paths.ts');
});

test.each([
  "const path = '/api/clients/{id}/statement';",
  "const text = '/Database';",
  "const date = '/';",
])('any other path is not: %s', (line) => {
  expect(findingsIn(line)).toBe('');
});
