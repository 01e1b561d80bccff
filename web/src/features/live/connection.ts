import { answerOf, api } from '../../api/client';
import { createEventReader, type StreamEvent } from './eventReader';

interface Listening {
  /** Also receives `reset` before the first `hello`: what was read before that may be outdated. */
  onEvent: (name: string, data: unknown) => void;
  /** Whether the connection has been down for so long that the admin should know. */
  onLost: (isLost: boolean) => void;
}

const second = 1_000;
/** The delays before a retry. A random part is added, so that the tabs do not overload a server that comes back. */
const pauses = [1 * second, 2 * second, 5 * second, 10 * second];
/** Longer than a server takes to restart behind a proxy, and soon enough that nobody works on outdated rows. */
const lostAfter = 2.5 * second;
/** The first connection may be slow: nothing has been lost yet. */
const lateAfter = 10 * second;
/** The server sends something every fifteen seconds. A connection that is silent for longer than this is dead. */
const silentFor = 40 * second;
/** A browser has six connections to a server for all its tabs, so a hidden tab gives up its own after this time. */
const hiddenFor = 30 * second;

/** Listens until the returned function is called, and reconnects whenever the connection breaks. */
export function openConnection({ onEvent, onLost }: Listening): () => void {
  let lastEventId: string | undefined;
  let attempt = 0;
  let line: AbortController | null = null;
  let isGreeted = false;
  let heardAt = 0;
  let retry: Timer;
  let losing: Timer;
  let hiding: Timer;

  const startLosing = () => {
    losing ??= setTimeout(() => onLost(true), lastEventId === undefined ? lateAfter : lostAfter);
  };
  const stopLosing = () => {
    clearTimeout(losing);
    losing = undefined;
    onLost(false);
  };

  const receive = ({ name, data, id }: StreamEvent) => {
    if (name === 'hello') {
      attempt = 0;
      isGreeted = true;
      stopLosing();
    }
    if (name === 'hello' && lastEventId === undefined) onEvent('reset', {});
    if (data) onEvent(name, JSON.parse(data));
    // Only after the event is handled: if the connection breaks before that, the server must send it again.
    if (id !== undefined) lastEventId = id;
  };

  const listen = () => {
    stop();
    startLosing();
    line = new AbortController();
    const mine = line;
    heardAt = Date.now();
    const heard = () => {
      heardAt = Date.now();
    };
    // Events of a closed connection are ignored: the next connection receives them again.
    const onCurrentEvent = (event: StreamEvent) => line === mine && receive(event);
    void read(mine.signal, lastEventId, onCurrentEvent, heard)
      .catch(() => undefined)
      .then(() => line === mine && tryLater());
  };

  const tryLater = () => {
    stop();
    startLosing();
    const pause = pauses[Math.min(attempt, pauses.length - 1)] ?? 0;
    attempt += 1;
    retry = setTimeout(listen, pause * (1 + Math.random() * 0.3));
  };

  const stop = () => {
    clearTimeout(retry);
    const last = line;
    line = null;
    isGreeted = false;
    last?.abort();
  };

  /** Closes the connection without reporting it as lost, because nobody looks at the tab. */
  const rest = () => {
    stop();
    stopLosing();
  };

  const isSilent = () => Date.now() - heardAt > silentFor;
  const watch = setInterval(() => line && isSilent() && listen(), 5 * second);

  const wake = () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(rest, hiddenFor);
    else if (!isGreeted || isSilent()) {
      attempt = 0;
      listen();
    }
  };

  const away = new AbortController();
  const { signal } = away;
  document.addEventListener('visibilitychange', wake, { signal });
  window.addEventListener('online', wake, { signal });
  // Without this, a hanging connection would go unnoticed for a long time.
  const goOffline = () => {
    if (line) tryLater();
    onLost(true);
  };
  window.addEventListener('offline', goOffline, { signal });
  window.addEventListener('pagehide', rest, { signal });
  window.addEventListener('pageshow', wake, { signal });
  if (!document.hidden) listen();

  return () => {
    away.abort();
    clearInterval(watch);
    clearTimeout(hiding);
    rest();
  };
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The API client handles a session that has ended, as after any other request. */
async function read(
  signal: AbortSignal,
  lastEventId: string | undefined,
  onEvent: (event: StreamEvent) => unknown,
  onHeard: () => void,
) {
  const header = lastEventId === undefined ? {} : { 'last-event-id': Number(lastEventId) };
  const { data } = await answerOf(
    api.GET('/api/live', { params: { header }, parseAs: 'stream', signal }),
  );
  const reader = data?.getReader();
  const receive = createEventReader(onEvent);
  while (!signal.aborted) {
    const piece = await reader?.read();
    if (!piece?.value) return;
    onHeard();
    receive(piece.value);
  }
}
