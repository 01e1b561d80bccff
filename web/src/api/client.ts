import type { Client } from 'openapi-fetch';
import { NoAnswerError, refusalFrom } from './errors';
import type { components, paths } from './schema.gen';
import { expireSession, getToken, reportMissingFactor } from './session';
import { askStepUp } from './stepUp';

export type Schemas = components['schemas'];

/** Never cached: Firefox locks a URL in its cache until the response is complete, and another tab would wait. */
const cache = 'no-store';

const loginPath = '/api/admin/login';
const bearerOf = (token: string) => `Bearer ${token}`;

interface Call extends RequestInit {
  params?: {
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  bodySerializer?: () => FormData | Blob;
  /** For a response that never ends. */
  parseAs?: 'stream';
}

/**
 * Sends one request with the session's token. If the session ends meanwhile, nobody gets the answer, and not even an
 * error: it would reach the screen of the next admin, who may not be allowed to see what it says.
 */
async function call(method: string, path: string, options: Call = {}) {
  const token = getToken();
  const isOver = () => token !== null && path !== loginPath && getToken() !== token;
  const forever = () => new Promise<never>(() => undefined);
  try {
    const answer = await send(method, path, options, token);
    return isOver() ? forever() : answer;
  } catch (error) {
    if (isOver()) return forever();
    throw error;
  }
}

/** A 401 for the current token ends the session. */
async function send(method: string, path: string, options: Call, token: string | null) {
  const { params, bodySerializer, parseAs, ...init } = options;
  const address = path.replace(/{(\w+)}/g, (_, name) =>
    encodeURIComponent(params?.path?.[name] ?? ''),
  );
  const url = new URL(address, window.location.origin);
  for (const [name, value] of Object.entries(params?.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(params?.header ?? {})) {
    if (value !== undefined) headers.set(name, String(value));
  }
  if (token && path !== loginPath && !headers.has('Authorization')) {
    headers.set('Authorization', bearerOf(token));
  }
  let body: BodyInit | undefined = bodySerializer?.();
  if (!body && init.body !== undefined) {
    body = JSON.stringify(init.body);
    headers.set('Content-Type', 'application/json');
  }
  const sendNow = (more?: RequestInit) =>
    // Looked up on each call, so that a replaced fetch (tests, tracing) is used.
    globalThis.fetch(
      new Request(url, { ...init, cache, method, headers, body: body ?? null, ...more }),
    );
  const first = await sendNow();
  // Confirmed requests get a new deadline: the first one may be over.
  const response = (await isConfirmed(first))
    ? await sendNow({ signal: AbortSignal.timeout(repeatMilliseconds) })
    : first;
  const now = getToken();
  // A 401 for a token that has since been replaced says nothing about the current session.
  if (response.status === 401 && now && headers.get('Authorization') === bearerOf(now)) {
    expireSession();
  }
  if (parseAs === 'stream' && response.ok) return { data: response.body, response };
  const text = await response.text();
  return response.ok
    ? { data: text ? JSON.parse(text) : undefined, response }
    : { error: parsed(text), response };
}

/** How long the repeated request may take. */
const repeatMilliseconds = 30_000;

/** Whether the request was refused for want of a fresh second factor, which the admin has then given. */
async function isConfirmed(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const { code, message, fields } = refusalFrom(403, parsed(await response.clone().text()));
  if (code === 'factor_missing') reportMissingFactor();
  const { action, subject } = fields;
  if (code !== 'step_up_required' || !action || !subject) return false;
  return askStepUp({ action, subject, message });
}

/** An error response from a proxy may not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const withMethod = (method: string) => (path: string, init?: Call) => call(method, path, init);

/** Uses only the types of openapi-fetch, which check every call against the OpenAPI schema, and none of its code. */
export const api = Object.fromEntries(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, withMethod(method)]),
) as unknown as Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>;

/** The body of a successful GET, by path. */
type GetBody<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

/** A GET whose query comes from the URL of the screen: the server validates it, not the compiler. */
export const getFiltered = <Path extends keyof paths>(
  path: Path,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Answer<GetBody<Path>>> => call('GET', path, { params: { query }, signal });

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of a response, or throws the error. */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  return (await answerOf(call)).data;
}

/** Like `dataOf`, but also returns the response: some lists return information in its headers. */
export async function answerOf<Data>(
  call: Promise<Answer<Data>>,
): Promise<{ data: Data; response: Response }> {
  let answer: Answer<Data>;
  try {
    answer = await call;
  } catch (error) {
    // The connection failed, or the body was cut off.
    throw isAbort(error) ? error : new NoAnswerError(error);
  }
  if (!answer.response.ok) throw refusalFrom(answer.response.status, answer.error);
  return { data: answer.data as Data, response: answer.response };
}
