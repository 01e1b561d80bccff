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

test('an early answer is taken up by the same call, once', async () => {
  askEarly(early, 'stored');
  await readClaims();
  expect(asked).toEqual(['Bearer stored']);
  await readClaims();
  expect(asked).toHaveLength(2);
});

test('an answer for another session is never taken up', async () => {
  askEarly(early, 'of another admin');
  await readClaims();
  expect(asked).toEqual(['Bearer of another admin', 'Bearer stored']);
});

test('where no early answer came the app asks by itself', async () => {
  server.use(http.get('*/api/claims/all', () => HttpResponse.error(), { once: true }));
  askEarly(early, 'stored');
  await expect(readClaims()).resolves.toEqual([]);
  expect(asked).toEqual(['Bearer stored']);
});

test('an early refusal is a refusal, and an ended session ends', async () => {
  server.use(
    http.get('*/api/claims/all', () => refusal(401, 'not_signed_in', 'Please log in.'), {
      once: true,
    }),
  );
  askEarly(early, 'stored');
  await expect(readClaims()).rejects.toThrow('Please log in.');
  expect(getToken()).toBeNull();
});
