import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { contentNames, renamedIn } from './contentNames.mjs';

/** What is in the build and names its hashed files, besides those themselves. */
const naming = ['index.html', '.vite/manifest.json'];
/**
 * The file that every first view needs is read whole while it is still arriving, on another thread. Without the hint a
 * browser reads each function when it is called, on the thread that draws: a sixth of all its work until the first rows.
 */
const compiledAtOnce = Buffer.from('//# allFunctionsCalledOnLoad\n');
const isNeededAtOnce = (file: string) => /^shell-.+\.js$/.test(file);
const isText = (file: string) => /\.(js|css)$/.test(file);

/** The last step: every hashed file named after its final content, and packed once for all who ask for it. */
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
          // At quality 11, which is node's own default.
          writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
        }
      },
    },
  };
}
