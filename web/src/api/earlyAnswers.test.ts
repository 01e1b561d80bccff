import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { refusal, server } from '../testing/server';
import { api, dataOf } from './client';
import { askEarly, forgetEarly } from './earlyAnswers';
import { getToken, startSession } from './session';

let asked: string[];
const query = { status: 'Paid', q: 'a b', limit: 50 } as const;
const readClaims = () => dataOf(api.GET('/api/claims/all', { params: { query } }));
const early = '/api/claims/all?limit=50&q=a+b&status=Paid';

beforeEach(() => {
  forgetEarly();
  asked = [];
  startSession('stored');
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      asked.push(request.headers.get('Authorization') ?? '');
      return HttpResponse.json([]);
    }),
  );
});

test('an early response is used once, by the same request', async () => {
  askEarly(early, 'stored');
  await readClaims();
  expect(asked).toEqual(['Bearer stored']);
  await readClaims();
  expect(asked).toHaveLength(2);
});

test('an early response for another session is never used', async () => {
  askEarly(early, 'of another admin');
  await readClaims();
  expect(asked).toEqual(['Bearer of another admin', 'Bearer stored']);
});

test('the app sends the request again when the early one failed', async () => {
  server.use(http.get('*/api/claims/all', () => HttpResponse.error(), { once: true }));
  askEarly(early, 'stored');
  await expect(readClaims()).resolves.toEqual([]);
  expect(asked).toEqual(['Bearer stored']);
});

test('an early error response is reported, and an early 401 ends the session', async () => {
  server.use(
    http.get('*/api/claims/all', () => refusal(401, 'not_signed_in', 'Please log in.'), {
      once: true,
    }),
  );
  askEarly(early, 'stored');
  await expect(readClaims()).rejects.toThrow('Please log in.');
  expect(getToken()).toBeNull();
});
