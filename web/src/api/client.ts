import type { Client } from 'openapi-fetch';
import { takeEarly } from './earlyAnswers';
import { NoAnswerError, refusalFrom } from './errors';
import type { components, paths } from './schema.gen';
import { getToken, loseSession } from './session';

export type Schemas = components['schemas'];

/**
 * No answer of the API may be kept anyway. Firefox locks the place of an address in its cache until the answer has
 * come whole: another tab would wait 20 seconds behind an open stream, or behind a slow list.
 */
const cache = 'no-store';

const loginPath = '/api/admin/login';
const bearerOf = (token: string) => `Bearer ${token}`;

interface Call extends RequestInit {
  params?: {
    path?: Record<string, string>;
    query?: Record<string, unknown>;
    header?: Record<string, unknown>;
  };
  bodySerializer?: () => FormData;
  /** For an answer that has no end. */
  parseAs?: 'stream';
}

/** One call, with the session's token; an answer that does not know the token ends the session. */
async function call(method: string, path: string, options: Call = {}) {
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
  const token = getToken();
  if (token && path !== loginPath && !headers.has('Authorization')) {
    headers.set('Authorization', bearerOf(token));
  }
  let body: BodyInit | undefined = bodySerializer?.();
  if (!body && init.body !== undefined) {
    body = JSON.stringify(init.body);
    headers.set('Content-Type', 'application/json');
  }
  const request = new Request(url, { ...init, cache, method, headers, body: body ?? null });
  // Looked up at each call, so that a replaced fetch (tests, tracing) is used.
  const response = await (takeEarly(request) ?? globalThis.fetch(request));
  const now = getToken();
  // An answer to a token that was replaced in the meantime says nothing about the present session.
  if (response.status === 401 && now && headers.get('Authorization') === bearerOf(now)) {
    loseSession();
  }
  if (parseAs === 'stream' && response.ok) return { data: response.body, response };
  const text = await response.text();
  return response.ok
    ? { data: text ? JSON.parse(text) : undefined, response }
    : { error: parsed(text), response };
}

/** What a proxy answers in place of the server need not be JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const withMethod = (method: string) => (path: string, init?: Call) => call(method, path, init);

/** The library's types, which hold every call against the server's description; its code is not needed for that. */
export const api = Object.fromEntries(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, withMethod(method)]),
) as unknown as Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>;

const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Turns an answer into its data, or throws what went wrong. */
export async function dataOf<Data>(call: Promise<Answer<Data>>): Promise<Data> {
  return (await answerOf(call)).data;
}

/** The same, with the response: some lists say things in its headers. */
export async function answerOf<Data>(
  call: Promise<Answer<Data>>,
): Promise<{ data: Data; response: Response }> {
  let answer: Answer<Data>;
  try {
    answer = await call;
  } catch (error) {
    // Neither a dead line nor a body that breaks off is an answer.
    throw isAbort(error) ? error : new NoAnswerError(error);
  }
  if (!answer.response.ok) throw refusalFrom(answer.response.status, answer.error);
  return { data: answer.data as Data, response: answer.response };
}
