import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getToken } from '../../api/session';
import { openConnection } from './connection';

const encoder = new TextEncoder();
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);
let stop: () => void;

interface Line {
  mark: string | null;
  signal: AbortSignal;
  send: (text: string) => Promise<unknown>;
  cut: () => Promise<unknown>;
}

/** Replaces the network: the test decides whether and what to answer. */
function network() {
  const lines: Line[] = [];
  const state = { lines, refusal: 0 };
  vi.stubGlobal('fetch', async (request: Request) => {
    let line!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (opened) => {
        line = opened;
      },
    });
    lines.push({
      mark: request.headers.get('Last-Event-ID'),
      signal: request.signal,
      send: (text) => {
        line.enqueue(encoder.encode(text));
        return seconds(0);
      },
      cut: () => {
        line.close();
        return seconds(0);
      },
    });
    if (state.refusal) return Response.json({}, { status: state.refusal });
    return new Response(body);
  });
  return state;
}

const hello = 'id: 5\nevent: hello\ndata: {"after":5,"openClaims":[]}\n\n';

function open() {
  const heard: string[] = [];
  const lost: boolean[] = [];
  stop = openConnection({
    onEvent: (name) => heard.push(name),
    onLost: (isLost) => lost.push(isLost),
  });
  return { heard, lost };
}

function hide(isHidden: boolean) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  localStorage.setItem('token', 'stored');
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the first hello makes earlier data outdated; a hello after a resume does not', async () => {
  const { lines } = network();
  const { heard } = open();
  await seconds(0);
  expect(lines[0]?.mark).toBeNull();
  await lines[0]?.send(hello);
  expect(heard).toEqual(['reset', 'hello']);
  await lines[0]?.cut();
  await seconds(1);
  await lines[1]?.send(hello);
  expect(heard).toEqual(['reset', 'hello', 'hello']);
});

test('it bypasses the cache, which Firefox locks for other tabs as long as a stream is open', async () => {
  network();
  const made = vi.spyOn(globalThis, 'Request');
  open();
  await seconds(0);
  expect(made.mock.calls.map(([, init]) => init?.cache)).toEqual(['no-store']);
});

test('it resumes after the last complete event', async () => {
  const { lines } = network();
  const { heard } = open();
  await seconds(0);
  await lines[0]?.send(`${hello}id: 8\nevent: counts\ndata: {}\n\nid: 9\nevent: cou`);
  expect(heard.at(-1)).toBe('counts');
  await lines[0]?.cut();
  await seconds(1);
  expect(lines[1]?.mark).toBe('8');
  // An id without data counts too.
  await lines[1]?.send(`${hello}: alive\nid: 12\n\n`);
  await lines[1]?.cut();
  await seconds(1);
  expect(lines[2]?.mark).toBe('12');
});

test('it retries after 1, 2, 5, 10 and 10 seconds, and after 1 second again once it got a hello', async () => {
  const state = network();
  state.refusal = 503;
  open();
  await seconds(0);
  for (const [attempt, pause] of [1, 2, 5, 10, 10].entries()) {
    await seconds(pause - 0.01);
    expect(state.lines).toHaveLength(attempt + 1);
    await seconds(0.01);
    expect(state.lines).toHaveLength(attempt + 2);
  }
  state.refusal = 0;
  await seconds(10);
  await state.lines.at(-1)?.send(hello);
  await state.lines.at(-1)?.cut();
  const before = state.lines.length;
  await seconds(1);
  expect(state.lines).toHaveLength(before + 1);
});

test('a lost connection is reported within three seconds, until it is back', async () => {
  const { lines } = network();
  const { lost } = open();
  await seconds(0);
  await lines[0]?.send(hello);
  await lines[0]?.cut();
  await seconds(2);
  expect(lost).not.toContain(true);
  await seconds(0.9);
  expect(lost.at(-1)).toBe(true);
  await lines.at(-1)?.send(hello);
  expect(lost.at(-1)).toBe(false);
});

test('a first connection that is slow is reported after ten seconds', async () => {
  network();
  const { lost } = open();
  await seconds(9.9);
  expect(lost).not.toContain(true);
  await seconds(0.2);
  expect(lost.at(-1)).toBe(true);
});

test.each(['visible', 'online'])('it retries at once if the browser is %s again', async (what) => {
  const state = network();
  state.refusal = 503;
  open();
  await seconds(20);
  const before = state.lines.length;
  if (what === 'visible') hide(false);
  else window.dispatchEvent(new Event('online'));
  await seconds(0);
  expect(state.lines).toHaveLength(before + 1);
});

test('when the browser goes offline, that is reported and the connection is closed at once', async () => {
  const { lines } = network();
  const { lost } = open();
  await seconds(0);
  await lines[0]?.send(hello);
  window.dispatchEvent(new Event('offline'));
  expect(lines[0]?.signal.aborted).toBe(true);
  expect(lost.at(-1)).toBe(true);
  await seconds(10);
  expect(lost.at(-1)).toBe(true);
  expect(lines.length).toBeGreaterThan(1);
});

test('a connection without a sign of life is closed and replaced', async () => {
  const { lines } = network();
  open();
  await seconds(0);
  await lines[0]?.send(hello);
  await seconds(30);
  await lines[0]?.send(': alive\n\n');
  await seconds(39);
  expect(lines).toHaveLength(1);
  await seconds(6);
  expect(lines[0]?.signal.aborted).toBe(true);
  expect(lines[1]?.mark).toBe('5');
});

test('events of a closed connection are ignored', async () => {
  const { lines } = network();
  const { heard } = open();
  await seconds(0);
  await lines[0]?.send(hello);
  await seconds(46);
  await lines[0]?.send('id: 9\nevent: counts\ndata: {}\n\n');
  expect(heard).not.toContain('counts');
});

test('a hidden tab closes its connection, and resumes where it was when it is visible again', async () => {
  const { lines } = network();
  const { lost } = open();
  await seconds(0);
  await lines[0]?.send(hello);
  hide(true);
  await seconds(29);
  expect(lines[0]?.signal.aborted).toBe(false);
  await seconds(2);
  expect(lines[0]?.signal.aborted).toBe(true);
  await seconds(60);
  expect(lines).toHaveLength(1);
  hide(false);
  await seconds(0);
  expect(lines[1]?.mark).toBe('5');
  expect(lost).not.toContain(true);
});

test('an expired session is dropped, as after any other request', async () => {
  const state = network();
  open();
  await seconds(0);
  state.refusal = 401;
  await state.lines[0]?.send(`${hello}event: signed-out\ndata: {}\n\n`);
  await state.lines[0]?.cut();
  await seconds(1);
  expect(getToken()).toBeNull();
});

test('stopping it or leaving the page leaves no connection open', async () => {
  const { lines } = network();
  open();
  await seconds(0);
  window.dispatchEvent(new Event('pagehide'));
  expect(lines[0]?.signal.aborted).toBe(true);
  window.dispatchEvent(new Event('pageshow'));
  await seconds(0);
  expect(lines[1]?.signal.aborted).toBe(false);
  stop();
  expect(lines[1]?.signal.aborted).toBe(true);
  await seconds(60);
  expect(lines).toHaveLength(2);
});
