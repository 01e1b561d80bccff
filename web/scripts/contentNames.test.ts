import { expect, test } from 'vitest';
import { contentNames } from './contentNames.mjs';

const files = (parts: Record<string, string>) =>
  new Map(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)]));

const shell = 'shell-aaaaaaaa.js';
const screen = 'Screen-bbbbbbbb.js';
const alone = 'alone-cccccccc.css';
const built = (change: Record<string, string> = {}) =>
  contentNames(
    files({
      [shell]: `import("./${screen}")`,
      [screen]: `import "./${shell}"; one()`,
      [alone]: 'a{}',
      ...change,
    }),
  );

test('a file with unchanged content keeps its name', () => {
  expect(built()).toEqual(built());
  expect(built().get(alone)).toMatch(/^alone-[\w-]{8}\.css$/);
});

test('a file with changed content gets a new name, even if the bundler did not rename it', () => {
  const changed = built({ [alone]: 'a{color:red}' });
  expect(changed.get(alone)).not.toBe(built().get(alone));
  expect(changed.get(shell)).toBe(built().get(shell));
});

test('a file gets a new name when a file it references changes, even with circular references', () => {
  const changed = built({ [screen]: `import "./${shell}"; two()` });
  expect(changed.get(screen)).not.toBe(built().get(screen));
  expect(changed.get(shell)).not.toBe(built().get(shell));
  expect(changed.get(alone)).toBe(built().get(alone));
});

test('the hashes chosen by the bundler do not affect the names', () => {
  const renamed = contentNames(
    files({
      'shell-dddddddd.js': 'import("./Screen-eeeeeeee.js")',
      'Screen-eeeeeeee.js': 'import "./shell-dddddddd.js"; one()',
    }),
  );
  expect([...renamed.values()].sort()).toEqual([built().get(shell), built().get(screen)].sort());
});

test('two files whose names differ only in the hash are rejected', () => {
  expect(() => contentNames(files({ 'a-aaaaaaaa.js': '1', 'a-bbbbbbbb.js': '2' }))).toThrow('a-');
});
