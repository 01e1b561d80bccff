import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Proof, Purchase } from '../../entities/purchase/purchase';
import { openApp, openRow, retryUntil } from '../../testing/openApp';
import { purchases } from '../../testing/sampleData';
import { refusal, refuseUntilRecovered, server } from '../../testing/server';

const [purchase] = purchases as [Purchase];
const proof: Proof = { at: '2026-09-21T10:13:00Z', by: 'key app', width: 900, height: 2000 };

/** Serves these details, and records how the picture was asked for. It is refused while `isBusy` says so. */
function serverHas(
  details: { externalId: string | null; proof: Proof | null },
  isBusy = () => false,
) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/purchases/all', () => HttpResponse.json([purchase])),
    http.get('*/api/purchases/p1/details', () =>
      HttpResponse.json({ purchase, related: [], ...details }),
    ),
    http.get('*/api/purchases/p1/proof', ({ request }) => {
      asked.push(request.headers.get('Authorization'));
      if (isBusy()) return refusal(403, 'not_now', 'Not now.');
      return new HttpResponse(new Uint8Array([255, 216]), {
        headers: { 'Content-Type': 'image/jpeg' },
      });
    }),
  );
  return asked;
}

async function openPanel() {
  const { user } = openApp('/Data');
  await openRow(user, 'Rahul Nair');
  return { user, panel: within(await screen.findByRole('dialog', { name: 'Rahul Nair' })) };
}

test('the panel shows the payment proof, and a click shows it larger', async () => {
  const asked = serverHas({ externalId: 'p-2001', proof });
  const { user, panel } = await openPanel();
  expect(await panel.findByText('External ID p-2001')).toBeTruthy();
  const small = await panel.findByRole('button', { name: 'Show the payment proof larger' });
  const picture = await within(small).findByRole('img', { name: 'Payment proof' });
  await expect.poll(() => picture.getAttribute('src')).toMatch(/^blob:/);
  // By a request with the token, which an `<img>` would not send.
  expect(asked).toEqual([expect.stringMatching(/^Bearer /)]);
  await user.click(small);
  const large = within(await screen.findByRole('dialog', { name: 'Payment proof' }));
  expect(large.getByRole('img').getAttribute('src')).toBe(picture.getAttribute('src'));
  await user.click(large.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog', { name: 'Payment proof' })).toBeNull();
  expect(panel.getByText('P-10001', { exact: false })).toBeTruthy();
  expect(asked).toHaveLength(1);
});

test('a purchase without a proof or an external ID says nothing of them', async () => {
  serverHas({ externalId: null, proof: null });
  const { panel } = await openPanel();
  await expect.poll(() => panel.queryByText('P-10001', { exact: false })).toBeTruthy();
  expect(panel.queryByText(/proof|External ID/i)).toBeNull();
});

test('details that cannot be loaded are not taken for a missing proof, and can be tried again', async () => {
  serverHas({ externalId: null, proof });
  const recover = refuseUntilRecovered('*/api/purchases/p1/details', 'Not now.');
  const { user, panel } = await openPanel();
  await panel.findByText('The details and the payment proof could not be loaded.');
  expect(await panel.findByText('Not now.')).toBeTruthy();
  recover();
  const larger = { name: 'Show the payment proof larger' };
  expect(await retryUntil(user, () => panel.getByRole('button', larger), panel)).toBeTruthy();
  expect(panel.queryByText('Not now.')).toBeNull();
});

test('a picture that cannot be loaded can be tried again', async () => {
  let isBusy = true;
  serverHas({ externalId: null, proof }, () => isBusy);
  const { user, panel } = await openPanel();
  await panel.findByText('The picture could not be loaded.');
  isBusy = false;
  const larger = { name: 'Show the payment proof larger' };
  expect(await retryUntil(user, () => panel.getByRole('button', larger), panel)).toBeTruthy();
});
