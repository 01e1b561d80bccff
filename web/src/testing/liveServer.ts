import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect } from 'vitest';
import { openApp } from './openApp';
import { server } from './server';

const encoder = new TextEncoder();

/** A server that sends live events to an open screen when the test says so. */
export function serverSendsEvents() {
  const lines: ReadableStreamDefaultController<Uint8Array>[] = [];
  const state = {
    /** The `Last-Event-ID` of each request. */
    marks: [] as (string | null)[],
    /** The claims that the screen reported as open. */
    said: [] as { tab: string; claimId: string | null }[],
    send: (text: string) => lines.at(-1)?.enqueue(encoder.encode(text)),
    sendEvent: (event: string, data: unknown, id = 1) =>
      state.send(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    cut: () => lines.at(-1)?.close(),
  };
  server.use(
    http.get('*/api/live', ({ request }) => {
      state.marks.push(request.headers.get('Last-Event-ID'));
      return new HttpResponse(new ReadableStream({ start: (line) => void lines.push(line) }));
    }),
    http.put('*/api/live/open', async ({ request }) => {
      state.said.push((await request.json()) as (typeof state.said)[number]);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return state;
}

export const pause = (milliseconds: number) =>
  act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));

/** Opens the app and waits until it is connected and idle. */
export async function openLive(path: string, options?: Parameters<typeof openApp>[1]) {
  const live = serverSendsEvents();
  const opened = openApp(path, options);
  await waitFor(() => expect(live.marks).toHaveLength(1));
  live.sendEvent('hello', { after: 1, openClaims: [] });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(opened.queryClient.isFetching()).toBe(0));
  await pause(100);
  return { live, ...opened };
}

export const moved = (subjectId: string, status: string, version: number, by = 'ravi') => ({
  verb: 'claim.moved',
  subjectId,
  by,
  at: '2026-11-15T09:00:00Z',
  status,
  version,
});

/** Records the paths of the GET requests. */
export function listenToCalls() {
  const calls: string[] = [];
  const hear = ({ request }: { request: Request }) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') calls.push(pathname);
  };
  server.events.removeAllListeners();
  server.events.on('request:start', hear);
  return calls;
}

export const countOf = (calls: readonly string[], path: string) =>
  calls.filter((call) => call === path).length;
