// Checks what no linter covers: file sizes and names, paths of screens, a lock file that installs on every platform.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const longest = 300;
const vagueName = /^(utils?|helpers?|misc|common|base|service|manager)\b/i;
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const findings = [];
// A path that one file writes by hand would still lead to the old screen after the path has changed.
const mayNameScreens = [join('src', 'ui', 'page', 'paths.ts'), join('src', 'app', 'routes.tsx')];
const screenPaths = mayNameScreens.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:=|path:) '(\/\w[\w/]*)'[;,]/g)].map(
    ([, path]) => path,
  ),
);
// Also after an origin: `${origin}/Receipt`.
const namesScreen = new RegExp(
  `(?:['"\`]|\\$\\{[^}]*\\})(?:${screenPaths.join('|')})(?![\\w-])`,
  'i',
);
const styleSheets = new Map();

for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const path = join(entry.parentPath, entry.name);
  if (vagueName.test(entry.name))
    findings.push(`${path}: the name says nothing about what is inside`);
  if (entry.name.endsWith('.module.css')) {
    const other = styleSheets.get(entry.name);
    // Class names start with the file name: two files with the same name would share class names.
    if (other) findings.push(`${path}: ${other} has the same name`);
    styleSheets.set(entry.name, path);
  }
  if (!/\.(tsx?|css)$/.test(path) || path.endsWith('.gen.ts')) continue;
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').length - 1;
  if (lines > longest) findings.push(`${path}: ${lines} lines, at most ${longest}`);
  const isTest = /\.test\.|^src.testing/.test(path);
  if (!isTest && !mayNameScreens.includes(path) && namesScreen.test(text))
    findings.push(`${path}: take the path of a screen from ui/page/paths.ts`);
}

const lockText = readFileSync('package-lock.json', 'utf8');
const lock = JSON.parse(lockText);
if (/"resolved":/.test(lockText)) findings.push('package-lock.json names a registry host');
for (const prefix of ['@rolldown/binding-', '@biomejs/cli-', 'lightningcss-']) {
  for (const platform of platforms) {
    const found = Object.keys(lock.packages).some((name) =>
      name.startsWith(`node_modules/${prefix}${platform}`),
    );
    if (!found) findings.push(`package-lock.json lacks ${prefix}${platform}`);
  }
}

for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exit(1);
console.log('sources: sizes, names, paths and lock file are as promised');
