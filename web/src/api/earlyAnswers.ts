/** What the boot script asked for before the app was there, for the same session only. */
interface EarlyAnswer {
  authorization: string;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    earlyAnswers?: Map<string, EarlyAnswer>;
  }
}

/** The same call, in whatever order and spelling its parameters are written. */
function callOf(address: string): string {
  const { pathname, searchParams } = new URL(address, window.location.origin);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

export function askEarly(path: string, token: string) {
  const authorization = `Bearer ${token}`;
  const answer = fetch(path, {
    cache: 'no-store',
    headers: { Accept: 'application/json', authorization },
  });
  // Whoever takes it up hears of a failure; until then nobody does.
  answer.catch(() => undefined);
  window.earlyAnswers ??= new Map();
  window.earlyAnswers.set(callOf(path), { authorization, answer });
}

/** The answer to this very request, if it was asked for early. Each is given out once. */
export function takeEarly(request: Request): Promise<Response> | undefined {
  const early = window.earlyAnswers;
  if (!early?.size || request.method !== 'GET') return undefined;
  const call = callOf(request.url);
  const found = early.get(call);
  if (found?.authorization !== request.headers.get('Authorization')) return undefined;
  early.delete(call);
  return Promise.race([found.answer, aborted(request.signal)]).catch((error: unknown) => {
    request.signal.throwIfAborted();
    // No answer came: the app asks by itself, and tells if that fails too.
    if (error instanceof TypeError) return globalThis.fetch(request);
    throw error;
  });
}

/** What nobody has taken up by now would be old news later. */
export function forgetEarly() {
  window.earlyAnswers?.clear();
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
