import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { blockRendering, brotliFiles, inlineRuntime } from './scripts/buildSteps.ts';

const apiServer = 'http://127.0.0.1:8000';
// All that the screens share, except what is loaded on request.
const sharedFiles = /src\/(api|app|entities|ui)\/(?!later\/|table\/filters\/panel\/)/;

export default defineConfig({
  plugins: [react(), inlineRuntime(), blockRendering(), brotliFiles()],
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
    // Nothing to preload: a screen's file imports only files that the page has loaded before.
    modulePreload: false,
    // One style sheet: a separate one per screen would be another request before the first rows.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // The browser then compiles the files while they arrive, and not when their functions are first called.
        postBanner: '//# allFunctionsCalledOnLoad',
        // One file per screen, by the dynamic imports of src/app/routes.tsx, and one for what they share, libraries
        // included: a vendor file would be another request before the first rows.
        codeSplitting: { groups: [{ name: 'shared', test: sharedFiles }] },
      },
    },
  },
  server: { proxy: { '/api': apiServer, '/qr-images': apiServer } },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://desk.test/', width: 1279, height: 900 } },
    setupFiles: ['src/testing/setup.ts'],
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // Each worker loads the modules once instead of once per test file, which took half of the total time. Module state
    // must therefore be reset when the session ends, as in a browser (src/testing/setup.ts).
    isolate: false,
    // More than there are cores: the tests wait for more than half of their time.
    maxWorkers: 5,
    // Generous, for shared machines: a test that waits for a screen also waits for its compilation.
    testTimeout: 30_000,
  },
});
