import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const apiServer = 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react()],
  build: {
    manifest: true,
    sourcemap: false,
    // The content security policy forbids data: addresses and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
