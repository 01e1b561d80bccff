import { delay, HttpResponse, http } from 'msw';
import type { Schemas } from '../api/client';
import { server } from './server';

type User = Schemas['User'];

/** User 1 is the newest. */
const userAt = (number: number): User => ({
  _id: `u${number}`,
  createdAt: '2026-09-21T10:12:00Z',
  username: `User ${number}`,
  mobile: `9${String(number).padStart(9, '0')}`,
});

/**
 * A server with a long list of users that paginates as the real one does: the cursor is the number of the last row,
 * so rows added on top later do not shift the rows after it.
 */
export function serverHasUsers(count: number, { tellsCount = true } = {}) {
  const state = {
    newest: 1,
    /** The query of each read, in order. */
    reads: [] as Record<string, string>[],
    aborted: [] as string[],
    delay: 0,
    fails: (_query: Record<string, string>) => false,
    totals: { count, isExact: true } as { count: number; isExact: boolean },
    totalReads: [] as Record<string, string>[],
  };
  server.use(
    http.get('*/api/users', async ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      state.reads.push(query);
      request.signal.addEventListener('abort', () => state.aborted.push(query.q ?? ''));
      if (state.delay) await delay(state.delay);
      if (state.fails(query)) return HttpResponse.json({ message: 'Away.' }, { status: 403 });
      const after = query.cursor ? Number(query.cursor) + 1 : state.newest;
      const first = after + Number(query.skip ?? 0);
      const last = Math.min(count, first + Number(query.limit) - 1);
      const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
        userAt(first + i),
      );
      const headers = new Headers();
      if (last < count)
        headers.set('Link', `<http://desk.test/api/users?cursor=${last}>; rel="next"`);
      if (tellsCount) headers.set('X-Total-Count', String(count - state.newest + 1));
      return HttpResponse.json(rows, { headers });
    }),
    http.get('*/api/users/totals', ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams);
      state.totalReads.push(query);
      return HttpResponse.json(query.exact ? { count, isExact: true } : state.totals);
    }),
  );
  return state;
}
