import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { contentNames, renamedIn } from './contentNames.mjs';

/** Files that reference the hashed files but are not hashed themselves. */
const naming = ['index.html', '.vite/manifest.json'];
/**
 * With this hint the browser compiles the file that every first view needs on a background thread while it downloads.
 * Without it, functions are compiled on the main thread when first called: a sixth of the work before the first rows.
 */
const compiledAtOnce = Buffer.from('//# allFunctionsCalledOnLoad\n');
const isNeededAtOnce = (file: string) => /^shell-.+\.js$/.test(file);
const isText = (file: string) => /\.(js|css)$/.test(file);

/** The last build step: names every hashed file after its final content, and compresses the text files once. */
export function finishedBuild(): Plugin {
  let folder = '';
  return {
    name: 'finished-build',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        const assets = join(folder, 'assets');
        for (const name of readdirSync(assets).filter(isNeededAtOnce)) {
          const path = join(assets, name);
          writeFileSync(path, Buffer.concat([compiledAtOnce, readFileSync(path)]));
        }
        const files = new Map(
          readdirSync(assets).map((name) => [name, readFileSync(join(assets, name))]),
        );
        const names = contentNames(files);
        const write = (path: string) =>
          writeFileSync(path, renamedIn(readFileSync(path, 'utf8'), names));
        for (const path of naming) write(join(folder, path));
        for (const [before, after] of names) {
          const path = join(assets, after);
          renameSync(join(assets, before), path);
          if (!isText(after)) continue;
          write(path);
          // Quality 11, which is Node's default.
          writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
        }
      },
    },
  };
}
