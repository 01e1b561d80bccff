import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Compresses the scripts and style sheets once, at the highest quality: the server sends these files as they are. */
export function brotliFiles(): Plugin {
  let assets = '';
  return {
    name: 'brotli-files',
    apply: 'build',
    configResolved(config) {
      assets = resolve(config.root, config.build.outDir, config.build.assetsDir);
    },
    writeBundle() {
      for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
        const path = join(assets, name);
        writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
      }
    },
  };
}

/**
 * The page is painted only after its script has run, which sets the remembered theme: otherwise the colours of the
 * other theme would flash. Vite writes the script tags itself and drops this attribute from index.html.
 */
export function blockRendering(): Plugin {
  const unblocked = '<script type="module"';
  return {
    name: 'block-rendering',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replaceAll(unblocked, `${unblocked} blocking="render"`),
    },
  };
}
