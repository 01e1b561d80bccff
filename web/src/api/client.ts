import createClient, { type Middleware } from 'openapi-fetch';
import { takeEarly } from './earlyAnswers';
import { NoAnswerError, refusalFrom } from './errors';
import type { components, paths } from './schema.gen';
import { getToken, loseSession } from './session';

export type Schemas = components['schemas'];

const loginPath = '/api/admin/login';
const bearerOf = (token: string) => `Bearer ${token}`;

const session: Middleware = {
  onRequest({ request, schemaPath }) {
    const token = getToken();
    if (token && schemaPath !== loginPath && !request.headers.has('Authorization')) {
      request.headers.set('Authorization', bearerOf(token));
    }
    return request;
  },
  onResponse({ request, response }) {
    const token = getToken();
    // An answer to a token that was replaced in the meantime says nothing about the present session.
    if (
      response.status === 401 &&
      token &&
      request.headers.get('Authorization') === bearerOf(token)
    ) {
      loseSession();
    }
  },
};

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  // Looked up at each call, so that a replaced fetch (tests, tracing) is used.
  fetch: (request) => takeEarly(request) ?? globalThis.fetch(request),
});
api.use(session);

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
