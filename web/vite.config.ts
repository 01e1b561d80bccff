import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bootScript } from './scripts/bootScript.ts';
import { finishedBuild } from './scripts/finishedBuild.ts';

const apiServer = 'http://127.0.0.1:8000';

/**
 * What no first view of a screen needs: fetched as one file a moment after it, or when it is about to be asked for.
 * A new panel, dialog or sheet belongs here, and into `src/app/extras.tsx`; `npm run budget` weighs what does not.
 */
const extras = [
  /src\/ui\/table\/(SelectionBar|RowPanel|PlaceKeeper|FilterFields|SelectField|ColumnChooser)\./,
  /src\/app\/(KeysHelp|SideMenu)\./,
  /src\/ui\/(KeyboardHelp|CopyButton|copyText|PopoverPanel|popoverAnchor|backCloses|Popover\.module|Tip|ConfirmDialog)\./,
  /src\/ui\/(JobLine|ProgressBar|icons\/CopyIcon)\./,
  /src\/features\/(exports|views)\/(?!ExportMenu|SavedViews)/,
  // Changes go by functions of our own; only what is an extra itself uses these.
  /@tanstack\/.+\/(useMutation|mutationObserver)\./,
];
const isExtra = (id: string) => extras.some((pattern) => pattern.test(id));
/** Of the shared pieces, those that one screen alone has, or fetches when an admin turns to one of its rows. */
const isOfOneScreen = (id: string) =>
  /src\/ui\/(Menu|SidePanel|FormDialog|PlainDialog|AnswerField|Toast)\./.test(id) ||
  /src\/(api\/(list|changeRow)|ui\/icons\/(Upload|Eye|EyeOff)Icon)\./.test(id) ||
  /src\/ui\/(table\/Tabs|icons\/(Next|Previous|More)Icon)\.tsx/.test(id);
/** Moving many claims at once, with what its dialogs and those on one claim share. */
const isBatch = (id: string) =>
  /src\/features\/batches\/|src\/ui\/(PlainDialog|FormDialog|AnswerField|Menu)\./.test(id);
/** With the styles of the lists and the login: a style sheet for each would be a request that their rows wait for. */
const isFirstStyle = (id: string) =>
  /src\/features\/(claims|purchases|users|admins)\/(?!ClaimPanel|PayConfirm).+\.css$/.test(id);
const isShell = (id: string) =>
  !isOfOneScreen(id) &&
  (/node_modules|vite\/preload|src\/(api|app|ui)\//.test(id) || isFirstStyle(id));

export default defineConfig({
  plugins: [react(), bootScript(), finishedBuild()],
  // React has it built in; the router brings a copy for versions that had not.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  // Names that say where they are from, and that pack better than marks would: file names are told apart by a check.
  css: {
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}-${name}` },
  },
  build: {
    manifest: true,
    sourcemap: false,
    // The content security policy forbids data: addresses and inline scripts.
    assetsInlineLimit: 0,
    // The boot script fetches the screen's file ahead, and no other file needs a third one.
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
    // A worker reads the modules once and not for each file: half of all the time went there. What a module remembers
    // must end with the session then, as it does in a browser (src/testing/setup.ts).
    isolate: false,
    // By itself it leaves one core free, of two.
    maxWorkers: 2,
    // Generous, for shared machines: a test that waits for a screen waits for its compilation too.
    testTimeout: 30_000,
  },
});
