import { build, type Plugin } from 'vite';

const source = 'src/app/boot.ts';
/** The screen at each path. The boot script uses it to preload the screen's file. */
const screens: Record<string, string> = {
  '/': 'LoginScreen',
  '/Data': 'PurchasesScreen',
  '/Withdraw': 'ClaimsScreen',
  '/Qr': 'QrScreen',
  '/reg': 'UsersScreen',
  '/Settings': 'SettingsScreen',
  '/client/:id': 'ClientScreen',
};

/** Adds the boot script to the page's head: one small file that knows the names of all the others. */
export function bootScript(): Plugin {
  let isBuild = false;
  return {
    name: 'boot-script',
    configResolved(config) {
      isBuild = config.command === 'build';
    },
    transformIndexHtml: () =>
      isBuild
        ? undefined
        : [
            { tag: 'script', children: 'var SCREEN_FILES = {}', injectTo: 'head' },
            { tag: 'script', attrs: { type: 'module', src: `/${source}` }, injectTo: 'head' },
          ],
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('The build has no index.html');
        const files = Object.values(bundle);
        const fileOf = (screen: string) => {
          const found = files.find((file) => file.type === 'chunk' && file.name === screen);
          if (!found) throw new Error(`The build has no file for ${screen}`);
          return `/${found.fileName}`;
        };
        const screenFiles = Object.entries(screens).map(([path, name]) => [path, fileOf(name)]);
        const font = files.find(({ fileName }) => fileName.endsWith('.woff2'));
        const code = await written(Object.fromEntries(screenFiles), `/${font?.fileName}`);
        // A placeholder: the `finished-build` plugin replaces it with the content hash.
        const fileName = 'assets/boot-00000000.js';
        this.emitFile({ type: 'asset', fileName, source: code });
        // Placed first in the head: the admin waits for the requests that it starts.
        page.source = String(page.source).replace(
          '<title>',
          `<script src="/${fileName}"></script>\n    <title>`,
        );
      },
    },
  };
}

async function written(screenFiles: Record<string, string>, fontFile: string): Promise<string> {
  const fontAsNamed: Plugin = {
    name: 'font-as-named',
    enforce: 'pre',
    load: (id) => (/\.woff2\?url$/.test(id) ? `export default ${JSON.stringify(fontFile)}` : null),
  };
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [fontAsNamed],
    define: { SCREEN_FILES: JSON.stringify(screenFiles) },
    build: {
      write: false,
      lib: { entry: source, formats: ['iife'], name: 'boot', fileName: 'boot' },
    },
  });
  const [result] = [built].flat();
  const [chunk] = result && 'output' in result ? result.output : [];
  if (chunk?.type !== 'chunk') throw new Error('The boot script could not be built');
  return chunk.code;
}
