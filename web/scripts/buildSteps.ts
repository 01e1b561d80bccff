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

/**
 * The bundler writes its few helper functions into a file of their own, which no setting prevents: one more request
 * before the first rows. They keep no state, so each file that calls them gets a copy instead.
 */
export function inlineRuntime(): Plugin {
  return {
    name: 'inline-runtime',
    apply: 'build',
    // Before the page and the manifest are written, which list the imports of each file.
    enforce: 'pre',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
      if (!runtime) return;
      const [, body, exported = ''] = /^(.*)export\{(.*)\};?\s*$/s.exec(runtime.code) ?? [];
      if (!body) this.error('The file of the bundler’s runtime does not end with its exports.');
      const returned = exported.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1');
      const copy = `=(()=>{${body}return{${returned}}})();`;
      const path = runtime.fileName.slice(runtime.fileName.lastIndexOf('/') + 1);
      for (const chunk of chunks.filter(({ imports }) => imports.includes(runtime.fileName))) {
        const [statement, names] =
          new RegExp(`import\\{([^}]*)\\}from"\\./${path}";`).exec(chunk.code) ?? [];
        if (!statement || !names)
          this.error(`${chunk.fileName} imports the runtime in another way.`);
        const renamed = names.replace(/([\w$]+) as ([\w$]+)/g, '$1:$2');
        // A function, because the code contains `$`.
        chunk.code = chunk.code.replace(statement, () => `const{${renamed}}${copy}`);
        chunk.imports.splice(chunk.imports.indexOf(runtime.fileName), 1);
      }
      delete bundle[runtime.fileName];
    },
  };
}
