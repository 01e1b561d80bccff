import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { endSession } from '../api/session';
import { server } from './server';

// The first lazy screen of a test file is compiled while a test waits for it.
configure({ asyncUtilTimeout: 20_000 });

const { setTimeout } = globalThis;

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  // As in a browser, no response arrives before the screen has drawn that it waits for one. Otherwise `AfterFirstRows`
  // can miss a request, and the live connection starts three seconds later.
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    const response = await answer(...request);
    await new Promise((resolve) => setTimeout(resolve));
    return response;
  });
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // Without the address of another test, and the scroll position that a table stored there. A new entry, because only
  // an entry with another one below it can be left, as the entry of a panel is.
  window.history.pushState(null, '', '/');
  delete document.documentElement.dataset.theme;
});

afterEach(() => {
  cleanup();
  // State that outlives the screens is reset when the session ends.
  endSession();
  server.resetHandlers();
});

afterAll(async () => {
  // A file that is still loading when the tests end would fail, and stay so for the next test file of this worker.
  await vi.dynamicImportSettled();
  vi.unstubAllGlobals();
  server.close();
});
