import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pause } from '../testing/liveServer';
import { heading } from '../testing/openApp';
import { server } from '../testing/server';

const calls: string[] = [];
let root: Root | undefined;
const note = ({ request }: { request: Request }) => void calls.push(new URL(request.url).pathname);

beforeEach(() => {
  calls.length = 0;
  server.events.on('request:start', note);
  vi.stubGlobal('FontFace', class {});
  vi.doMock('react-dom/client', () => ({
    createRoot: (place: HTMLElement) => {
      root = createRoot(place);
      return root;
    },
  }));
});

afterEach(() => {
  server.events.removeListener('request:start', note);
  // Otherwise it would redirect the next test to the login.
  act(() => root?.unmount());
  vi.doUnmock('react-dom/client');
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

/** Starts the app as the page does, with fresh modules. */
async function start(path: string) {
  window.history.replaceState(null, '', path);
  document.body.innerHTML = '<div id="root"></div>';
  vi.resetModules();
  await import('./main');
}

test.each([
  ['/Data', 'Client Data', '/api/purchases/all', 'Daily Income'],
  ['/Withdraw', 'All Claim Requests', '/api/claims/all', 'Account No'],
  ['/QR', 'QR Code Upload', '/api/qr', 'UPI ID'],
  ['/reg', 'Registered Users', '/api/users', 'Mobile'],
])('%s shows its frame while its rows are still loading', async (path, title, list, column) => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get(`*${list}`, async () => {
      await held;
      return HttpResponse.json([]);
    }),
  );
  localStorage.setItem('token', 'stored');
  await start(path);
  expect(await heading(title)).toBeTruthy();
  expect(calls[0]).toBe(list);
  const table = screen.getByRole('table');
  expect(table.getAttribute('aria-busy')).toBe('true');
  expect(within(table).getByRole('columnheader', { name: column })).toBeTruthy();
  expect(screen.getByRole('searchbox')).toBeTruthy();
  answer();
  await vi.waitFor(() => expect(table.getAttribute('aria-busy')).toBe('false'));
});

test.each(['/', '/Data', '/Withdraw', '/QR', '/reg', '/Settings', '/client/u1', '/nowhere'])(
  '%s reads nothing from the server without a session',
  async (path) => {
    await start(path);
    expect(await heading('Login')).toBeTruthy();
    // Longer than the first request of a screen waits, if it waits at all.
    await pause(150);
    expect(calls).toEqual([]);
  },
);
