import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { bootScript } from './scripts/bootScript.ts';

const apiServer = 'http://127.0.0.1:8000';

/** What no first view of a screen needs: fetched as one file when it is about to be asked for, or at rest. */
const extras = [
  /src\/ui\/table\/(SelectionBar|RowPanel|FilterFields|SelectField|ColumnChooser)\./,
  /src\/(app\/KeysHelp|ui\/(KeyboardHelp|CopyButton|copyText))\./,
  /src\/features\/(exports|views)\/(?!ExportMenu|SavedViews)/,
];
const isExtra = (id: string) => extras.some((pattern) => pattern.test(id));
const isShell = (id: string) => /node_modules|vite\/preload|src\/(api|app|ui)\//.test(id);

export default defineConfig({
  plugins: [react(), bootScript()],
  // React has it built in; the router brings a copy for versions that had not.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    manifest: true,
    sourcemap: false,
    // The content security policy forbids data: addresses and inline scripts.
    assetsInlineLimit: 0,
    // The boot script fetches the screen's file ahead, and no other file needs a third one.
    modulePreload: false,
    // One style sheet: in pieces it would be a request for each, and the whole is 6 KB.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', test: (id: string) => isShell(id) && !isExtra(id), priority: 2 },
            { name: 'extras', test: isExtra, priority: 1 },
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
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Generous, for shared machines: a test that waits for a screen waits for its compilation too.
    testTimeout: 30_000,
  },
});
