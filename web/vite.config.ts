import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bootScript } from './scripts/bootScript.ts';
import { finishedBuild } from './scripts/finishedBuild.ts';

const apiServer = 'http://127.0.0.1:8000';

/**
 * Code that no first view needs: loaded as one file shortly after the first view, or just before it is used.
 * Add a new panel, dialog or sheet here and in `src/app/extras.tsx`; otherwise it counts as part of the first view,
 * which `npm run budget` limits.
 */
const extras = [
  /src\/ui\/table\/(SelectionBar|RowPanel|ScrollRestorer|FilterFields|SelectField|ColumnChooser)\./,
  /src\/app\/(KeysHelp|SideMenu)\./,
  /src\/ui\/(KeyboardHelp|CopyButton|copyText|PopoverPanel|popoverAnchor|Popover\.module|Tip|dialog\/(backCloses|SidePanel))\./,
  /src\/ui\/(JobLine|ProgressBar|icons\/CopyIcon)\./,
  /src\/features\/(exports|views)\/(?!ExportMenu|SavedViews)/,
  // The app makes changes through its own functions; only extras use these.
  /@tanstack\/.+\/(useMutation|mutationObserver)\./,
];
const isExtra = (id: string) => extras.some((pattern) => pattern.test(id));
/** Shared modules that only one screen uses, or that a screen loads when an admin interacts with one of its rows. */
const isOfOneScreen = (id: string) =>
  /src\/ui\/(Menu|dialog\/(Answer)?Dialog|AnswerField|Toast)\./.test(id) ||
  /src\/(api\/(list|changeRow)|ui\/icons\/(Upload|Eye|EyeOff)Icon)\./.test(id) ||
  /src\/ui\/(table\/Tabs|icons\/(Next|Previous|More)Icon)\.tsx/.test(id);
/** Batch moves, with the modules that the batch dialogs share with the dialogs for a single claim. */
const isBatch = (id: string) =>
  /src\/features\/batches\/|src\/ui\/(dialog\/(Answer)?Dialog|AnswerField|Menu)\./.test(id);
/** Styles of the lists and the login. They go into the shell: separate style sheets would delay the first rows. */
const isFirstStyle = (id: string) =>
  /src\/features\/(claims|purchases|users|admins)\/(?!ClaimPanel|ClaimQuestion).+\.css$/.test(id);
const isShell = (id: string) =>
  !isOfOneScreen(id) &&
  (/node_modules|vite\/preload|src\/(api|app|entities|ui)\//.test(id) || isFirstStyle(id));

export default defineConfig({
  plugins: [react(), bootScript(), finishedBuild()],
  // React has this hook built in; the router ships a shim for older versions.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  // Readable class names, which also compress better than hashes. A check keeps the file names unique.
  css: {
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}` },
  },
  build: {
    manifest: true,
    sourcemap: false,
    // The content security policy forbids data: URLs and inline scripts.
    assetsInlineLimit: 0,
    // The boot script preloads the screen's file, and no other file depends on a third one.
    modulePreload: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', test: (id: string) => isShell(id) && !isExtra(id), priority: 2 },
            { name: 'extras', test: isExtra, priority: 1 },
            { name: 'batches', test: isBatch, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': apiServer, '/qr-images': apiServer } },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://desk.test/', width: 1440, height: 900 } },
    setupFiles: ['src/testing/setup.ts'],
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Each worker loads the modules once instead of once per test file, which took half of the total time. Module state
    // must therefore be reset when the session ends, as in a browser (src/testing/setup.ts).
    isolate: false,
    // The default leaves one of two cores unused.
    maxWorkers: 2,
    // Generous, for shared machines: a test that waits for a screen also waits for its compilation.
    testTimeout: 30_000,
  },
});
