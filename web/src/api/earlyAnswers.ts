/** A response that the boot script requested before the app loaded. It is valid only for the same session. */
interface EarlyAnswer {
  authorization: string;
  answer: Promise<Response>;
}

declare global {
  interface Window {
    earlyAnswers?: Map<string, EarlyAnswer>;
  }
}

/** A key for the request that does not depend on the order or the encoding of its parameters. */
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
  // `takeEarly` passes a failure on; this handler only prevents an unhandled rejection until then.
  answer.catch(() => undefined);
  window.earlyAnswers ??= new Map();
  window.earlyAnswers.set(callOf(path), { authorization, answer });
}

/** The response to this request, if the boot script requested it. Each response is returned once. */
export function takeEarly(request: Request): Promise<Response> | undefined {
  const early = window.earlyAnswers;
  if (!early?.size || request.method !== 'GET') return undefined;
  const call = callOf(request.url);
  const found = early.get(call);
  if (found?.authorization !== request.headers.get('Authorization')) return undefined;
  early.delete(call);
  return Promise.race([found.answer, aborted(request.signal)]).catch((error: unknown) => {
    request.signal.throwIfAborted();
    // The early request got no response: send it again, and report the error if that fails too.
    if (error instanceof TypeError) return globalThis.fetch(request);
    throw error;
  });
}

/** Discards the unused responses: later they would be out of date. */
export function forgetEarly() {
  window.earlyAnswers?.clear();
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
