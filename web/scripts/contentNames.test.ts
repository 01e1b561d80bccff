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

test('a file keeps its name as long as it holds the same', () => {
  expect(built()).toEqual(built());
  expect(built().get(alone)).toMatch(/^alone-[\w-]{8}\.css$/);
});

test('a file that changes gets another name, whatever the bundler called it', () => {
  const changed = built({ [alone]: 'a{color:red}' });
  expect(changed.get(alone)).not.toBe(built().get(alone));
  expect(changed.get(shell)).toBe(built().get(shell));
});

test('a file gets another name with those that it names, also in a circle', () => {
  const changed = built({ [screen]: `import "./${shell}"; two()` });
  expect(changed.get(screen)).not.toBe(built().get(screen));
  expect(changed.get(shell)).not.toBe(built().get(shell));
  expect(changed.get(alone)).toBe(built().get(alone));
});

test('the names that the bundler gave are no part of it', () => {
  const renamed = contentNames(
    files({
      'shell-dddddddd.js': 'import("./Screen-eeeeeeee.js")',
      'Screen-eeeeeeee.js': 'import "./shell-dddddddd.js"; one()',
    }),
  );
  expect([...renamed.values()].sort()).toEqual([built().get(shell), built().get(screen)].sort());
});

test('two files that would get one name are refused', () => {
  expect(() => contentNames(files({ 'a-aaaaaaaa.js': '1', 'a-bbbbbbbb.js': '2' }))).toThrow('a-');
});
