import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { leaveSession } from '../api/session';
import { uiParts } from '../ui/parts';
import { server } from './server';

// The first lazy screen of a file is compiled while a test waits for it.
configure({ asyncUtilTimeout: 10_000 });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
// At hand, as they are a second after the first view.
beforeAll(() => Promise.all(uiParts.map((load): Promise<unknown> => load())));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  // Where a table stood in another test.
  window.history.replaceState(null, '');
  delete document.documentElement.dataset.theme;
});

afterEach(() => {
  cleanup();
  // What outlives the screens ends with the session.
  leaveSession();
  server.resetHandlers();
});

afterAll(() => server.close());
