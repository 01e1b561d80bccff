import { line } from '../../api/live';
import { onSessionChange } from '../../api/session';

/** Where neither the browser nor the line says that the server is back. */
const pauseMilliseconds = 10_000;

/** Calls once, as soon as the server may be in reach again; never after a logout, nor after the returned function. */
export function whenInReach(look: () => void): () => void {
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
  line.addEventListener('back', begin, { signal });
  return () => over.abort();
}
