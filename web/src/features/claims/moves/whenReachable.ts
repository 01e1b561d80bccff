import { liveEvents } from '../../../api/live';
import { onSessionChange } from '../../../api/session';

/** Used when neither the browser nor the live connection reports that the server is back. */
const pauseMilliseconds = 10_000;

/** Calls `look` once the server may be reachable again, but not after a logout or a call of the returned function. */
export function whenReachable(look: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  const begin = () => {
    over.abort();
    look();
  };
  const timer = setTimeout(begin, pauseMilliseconds);
  signal.addEventListener('abort', () => clearTimeout(timer));
  signal.addEventListener(
    'abort',
    onSessionChange(() => over.abort()),
  );
  window.addEventListener('online', begin, { signal });
  liveEvents.addEventListener('back', begin, { signal });
  return () => over.abort();
}
