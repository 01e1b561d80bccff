import { answerOf, api } from '../../api/client';
import { createEventReader, type StreamEvent } from './eventReader';

interface Listening {
  /** `reset` also when it listens for the first time: what was read before that may be older. */
  onEvent: (name: string, data: unknown) => void;
  /** Whether it has been away for so long that the admin should know. */
  onLost: (isLost: boolean) => void;
}

const second = 1_000;
/** Before it tries again, and a little more by chance: a server that comes back is not to be run over. */
const pauses = [1 * second, 2 * second, 5 * second, 10 * second];
const lostAfter = 10 * second;
/** The server says something every fifteen seconds. A line that is silent for longer is dead. */
const silentFor = 40 * second;
/** A browser has six lines to a server for all its tabs: those that nobody looks at leave theirs to others. */
const hiddenFor = 30 * second;

/** Listens until the returned function is called, and comes back by itself whenever it is cut off. */
export function openConnection({ onEvent, onLost }: Listening): () => void {
  let mark: string | undefined;
  let attempt = 0;
  let line: AbortController | null = null;
  let isGreeted = false;
  let heardAt = 0;
  let retry: Timer;
  let losing: Timer;
  let hiding: Timer;

  const take = ({ name, data, id }: StreamEvent) => {
    if (name === 'hello') {
      attempt = 0;
      isGreeted = true;
      clearTimeout(losing);
      losing = undefined;
      onLost(false);
    }
    const isFirst = name === 'hello' && mark === undefined;
    if (data) onEvent(name, JSON.parse(data));
    if (isFirst) onEvent('reset', {});
    // Only now: whoever is cut off before has to hear it again.
    if (id !== undefined) mark = id;
  };

  const listen = () => {
    stop();
    losing ??= setTimeout(() => onLost(true), lostAfter);
    line = new AbortController();
    const mine = line;
    heardAt = Date.now();
    const heard = () => {
      heardAt = Date.now();
    };
    // What a line still has to say when it has been given up comes again by the next one.
    const hear = (event: StreamEvent) => line === mine && take(event);
    void read(mine.signal, mark, hear, heard)
      .catch(() => undefined)
      .then(() => line === mine && tryLater());
  };

  const tryLater = () => {
    stop();
    losing ??= setTimeout(() => onLost(true), lostAfter);
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

  /** Without a word: nobody misses what nobody looks at. */
  const rest = () => {
    stop();
    clearTimeout(losing);
    losing = undefined;
    onLost(false);
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
  // A line that hangs says nothing of it for long.
  window.addEventListener('offline', () => line && tryLater(), { signal });
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

/** A session that has ended is the client's to tell, as after any other call. */
async function read(
  signal: AbortSignal,
  mark: string | undefined,
  onEvent: (event: StreamEvent) => unknown,
  onHeard: () => void,
) {
  const header = mark === undefined ? {} : { 'last-event-id': Number(mark) };
  const { data } = await answerOf(
    api.GET('/api/live', { params: { header }, parseAs: 'stream', signal }),
  );
  const reader = data?.getReader();
  const take = createEventReader(onEvent);
  while (!signal.aborted) {
    const piece = await reader?.read();
    if (!piece?.value) return;
    onHeard();
    take(piece.value);
  }
}
