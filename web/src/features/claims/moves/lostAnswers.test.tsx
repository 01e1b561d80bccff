import { act, screen, waitFor } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openLive } from '../../../testing/liveServer';
import { openApp, openedConfirm, rowOf } from '../../../testing/openApp';
import { accepted, claims, pending } from '../../../testing/sampleData';
import { movesFrom } from '../../../testing/sampleMoves';
import { server } from '../../../testing/server';

type Live = Awaited<ReturnType<typeof openLive>>['live'];
type Move = 'Accepted' | 'Paid';

/** A server that stores every move. `loses` names the claims for which the response is lost. */
function serverStores({ loses = [] as string[] } = {}) {
  const state = { claims: [...claims], lists: 0, puts: 0, readDelay: 0, losesReads: false };
  const answer = async (read: unknown) => {
    await delay(state.readDelay);
    return state.losesReads ? HttpResponse.error() : HttpResponse.json(read as object);
  };
  server.use(
    http.get('*/api/claims/all', () => {
      state.lists += 1;
      return answer([...state.claims]);
    }),
    // Requests for the totals fall through to the next handlers.
    http.get('*/api/claims/:id', ({ params }) =>
      params.id === 'totals'
        ? undefined
        : answer(state.claims.find((claim) => claim._id === params.id)),
    ),
    http.put('*/api/claims/:id/status', async ({ request, params }) => {
      state.puts += 1;
      const { status } = (await request.json()) as { status: Move };
      const moved = state.claims.map((claim) =>
        claim._id === params.id ? { ...claim, status, moves: movesFrom[status] } : claim,
      );
      state.claims = moved;
      if (loses.includes(String(params.id))) return HttpResponse.error();
      return HttpResponse.json(moved.find((claim) => claim._id === params.id));
    }),
  );
  return state;
}

const buttonIn = (row: Awaited<ReturnType<typeof rowOf>>, name: string) =>
  row.getByRole<HTMLButtonElement>('button', { name: new RegExp(`^${name}`) });

async function paySneha(user: ReturnType<typeof openApp>['user']) {
  const sneha = await rowOf('Sneha Sharma');
  await user.click(buttonIn(sneha, 'Paid Success'));
  const confirm = await openedConfirm();
  await user.click(confirm.getByRole('button', { name: /^Paid Success/ }));
  return sneha;
}

test('a move of another row does not make a check report the old list', async () => {
  const state = serverStores({ loses: [accepted._id] });
  const { user } = openApp('/Withdraw');
  const rahul = await rowOf('Rahul Nair');
  state.readDelay = 300;
  const sneha = await paySneha(user);
  await screen.findByText('The outcome is not known yet. Checking…');
  await user.click(buttonIn(rahul, 'Accept'));
  await rahul.findByText('Accepted');
  expect(await screen.findByText(/^Checked:/)).toHaveProperty(
    'textContent',
    'Checked: The server says it is Paid.',
  );
  expect(sneha.getByText('Paid')).toBeTruthy();
  expect(rahul.getByText('Accepted')).toBeTruthy();
  expect(buttonIn(sneha, 'Paid Success').disabled).toBe(true);
});

test('after two lost responses at once, both results come from the server and not from the old list', async () => {
  const state = serverStores({ loses: [accepted._id, pending._id] });
  const { user } = openApp('/Withdraw');
  const rahul = await rowOf('Rahul Nair');
  state.readDelay = 200;
  const sneha = await paySneha(user);
  await screen.findByText('The outcome is not known yet. Checking…');
  await user.click(buttonIn(rahul, 'Accept'));
  expect(await screen.findByText('Checked: The server says it is Paid.')).toBeTruthy();
  expect(await screen.findByText('Checked: The server says it is Accepted.')).toBeTruthy();
  expect(screen.queryByText(/You can try again/)).toBeNull();
  expect(sneha.getByText('Paid')).toBeTruthy();
  expect(rahul.getByText('Accepted')).toBeTruthy();
});

test('a check that cannot read the claim says so, even while other rows change', async () => {
  const state = serverStores({ loses: [accepted._id] });
  const { user } = openApp('/Withdraw');
  const rahul = await rowOf('Rahul Nair');
  state.readDelay = 200;
  state.losesReads = true;
  const sneha = await paySneha(user);
  await screen.findByText('The outcome is not known yet. Checking…');
  await user.click(buttonIn(rahul, 'Accept'));
  expect(await screen.findByRole('button', { name: 'Check again' })).toBeTruthy();
  expect(buttonIn(sneha, 'Paid Success').disabled).toBe(true);
});

test.each([
  ['the browser is online again', () => void window.dispatchEvent(new Event('online'))],
  ['the line is back', (live: Live) => live.sendEvent('hello', { after: 1, openClaims: [] })],
])(
  'the outcome of a move is checked automatically when %s, and the move is never sent again',
  async (_, comeBack) => {
    const state = serverStores({ loses: [accepted._id] });
    const { user, live } = await openLive('/Withdraw');
    state.losesReads = true;
    const sneha = await paySneha(user);
    await screen.findByRole('button', { name: 'Check again' });
    const { puts } = state;
    state.losesReads = false;
    act(() => comeBack(live));
    // Sooner than the timer would check.
    const soon = { timeout: 5_000 };
    await screen.findByText('Checked: The server says it is Paid.', undefined, soon);
    await sneha.findByText('Paid');
    expect(state.puts).toBe(puts);
  },
);

test('a list requested before a move never overwrites the move, and is refetched', async () => {
  const state = serverStores();
  const { user, queryClient } = openApp('/Withdraw');
  const rahul = await rowOf('Rahul Nair');
  // Longer than the move below takes on a busy machine; the test does not wait for it.
  state.readDelay = 5_000;
  act(() => void queryClient.refetchQueries({ queryKey: ['claims', 'rows'] }));
  await waitFor(() => expect(state.lists).toBe(2));
  state.readDelay = 0;
  const fresh = { ...pending, _id: 'c0', user: { ...pending.user, username: 'Meera Iyer' } };
  state.claims = [fresh, ...state.claims];
  const seen: (string | undefined)[] = [];
  queryClient.getQueryCache().subscribe(() => {
    for (const [, page] of queryClient.getQueriesData<{ rows: typeof claims }>({
      queryKey: ['claims', 'rows'],
    })) {
      seen.push(page?.rows.find((claim) => claim._id === pending._id)?.status);
    }
  });
  await user.click(buttonIn(rahul, 'Accept'));
  await user.click(await screen.findByRole('button', { name: '1 new claim above' }));
  expect(screen.getByText('Meera Iyer')).toBeTruthy();
  expect(rahul.getByText('Accepted')).toBeTruthy();
  expect(seen.lastIndexOf('Pending')).toBeLessThan(seen.indexOf('Accepted'));
});
