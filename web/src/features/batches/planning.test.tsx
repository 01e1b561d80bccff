import { screen, within } from '@testing-library/react';
import { delay, HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { serverBatches, sheet } from '../../testing/batchServer';
import { openApp } from '../../testing/openApp';
import { paid } from '../../testing/sampleData';
import { refusal, server } from '../../testing/server';
import { totalsOf } from '../../testing/totals';
import { formatMoment } from '../../ui/text/dates';

async function choose(...names: string[]) {
  const app = openApp('/Withdraw');
  await screen.findByText(names[0] ?? '');
  for (const name of names) {
    await app.user.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  }
  const bar = within(await screen.findByRole('region', { name: 'Selection' }));
  const press = async (name: string | RegExp) =>
    app.user.click(await bar.findByRole('button', { name }));
  return { ...app, bar, press };
}

test('the sheet shows what will move, what has changed and what cannot move, before anything is done', async () => {
  const state = serverBatches({
    count: 4,
    changed: {
      count: 1,
      items: [
        {
          _id: 'c7',
          username: 'Meera Pillai',
          amount: 900,
          status: 'Paid',
          by: 'ravi',
          at: '2026-09-22T07:00:00Z',
        },
      ],
    },
    blocked: {
      count: 1,
      items: [{ _id: 'c8', username: 'Arjun Das', amount: 12, why: 'You accepted this claim.' }],
    },
  });
  const { press } = await choose('Rahul Nair', 'Sneha Sharma');
  await press('Accept…');

  const dialog = within(await screen.findByRole('alertdialog', { name: 'Accept 2 claims?' }));
  expect(dialog.getAllByText('₹8,000.00').length).toBe(1);
  expect(dialog.getByText('Eight thousand rupees')).toBeTruthy();
  expect(dialog.getByText('2 of 4 claims will become Accepted.')).toBeTruthy();
  expect(
    dialog.getByText(`ravi moved it to Paid on ${formatMoment('2026-09-22T07:00:00Z')}`),
  ).toBeTruthy();
  expect(dialog.getByText('You accepted this claim.')).toBeTruthy();
  expect(dialog.getByRole('row', { name: /C-10001 Rahul Nair 004512345671/ })).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Accept 2 claims · ₹8,000' })).toBeTruthy();
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Cancel' }));
  expect(state.plans).toEqual([
    {
      status: 'Accepted',
      except: [],
      claims: [
        { _id: 'c2', version: 1 },
        { _id: 'c1', version: 0 },
      ],
    },
  ]);
  expect(state.ran).toEqual([]);
});

test('a selection of all matches sends the filters and not the rows, and excludes unselected rows', async () => {
  const state = serverBatches();
  server.use(
    http.get('*/api/claims/totals', () =>
      HttpResponse.json({ ...totalsOf([]), count: 12345, amount: 1000012 }),
    ),
  );
  const { user } = openApp('/Withdraw?q=rahul&sort=-amount');
  await screen.findByText('Rahul Nair');
  await user.click(screen.getByRole('checkbox', { name: 'Select Rahul Nair' }));
  await user.click(await screen.findByRole('button', { name: 'Select all 12,345 that match' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Arjun Das' }));
  await user.click(await screen.findByRole('button', { name: 'Paid…' }));
  await screen.findByRole('alertdialog');
  expect(state.plans).toEqual([{ status: 'Paid', query: { q: 'rahul' }, except: ['c3'] }]);
});

test('a rejection asks for a reason first and sends it with the plan', async () => {
  const state = serverBatches({ status: 'Rejected', reason: 'Asked twice' });
  const { user, press } = await choose('Rahul Nair', 'Sneha Sharma');
  await press('More for the selected claims');
  await user.click(screen.getByRole('menuitem', { name: 'Reject…' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Why reject these claims?' }));
  const next = asked.getByRole('button', { name: 'Show what will move' });
  await user.click(next);
  expect(asked.getByRole('alert').textContent).toBe('Enter a reason. Other admins will see it.');
  expect(state.plans).toEqual([]);
  await user.type(asked.getByRole('textbox', { name: 'Reason' }), ' Asked twice ');
  await user.click(next);
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Reject 2 claims?' }));
  expect(dialog.getByText('Reason: Asked twice')).toBeTruthy();
  expect(state.plans).toMatchObject([{ status: 'Rejected', reason: 'Asked twice' }]);
});

test('if no loaded claim says that a reason is needed, the refusal of the server asks for it', async () => {
  const state = serverBatches({ status: 'Rejected', reason: 'Asked twice' });
  server.use(
    http.post(
      '*/api/batches',
      () => refusal(422, 'invalid_input', 'No.', { reason: 'reason is required for Rejected.' }),
      { once: true },
    ),
  );
  server.use(http.get('*/api/claims/all', () => HttpResponse.json([paid])));
  const { user, press } = await choose('Arjun Das');
  await press('More for the selected claims');
  await user.click(screen.getByRole('menuitem', { name: 'Reject…' }));
  const asked = within(await screen.findByRole('dialog', { name: 'Why reject these claims?' }));
  await user.type(asked.getByRole('textbox', { name: 'Reason' }), 'Asked twice');
  await user.click(asked.getByRole('button', { name: 'Show what will move' }));
  await screen.findByRole('alertdialog', { name: 'Reject 2 claims?' });
  expect(state.plans).toMatchObject([{ status: 'Rejected', reason: 'Asked twice' }]);
});

test('a sheet without any claim to move offers no confirmation', async () => {
  serverBatches({
    willMove: { count: 0, amount: 0, amountInWords: 'Zero rupees' },
    blocked: {
      count: 2,
      items: [{ _id: 'c3', username: 'Arjun Das', amount: 12, why: 'It is already Paid.' }],
    },
  });
  const { press } = await choose('Arjun Das');
  await press('Accept…');
  const dialog = within(
    await screen.findByRole('dialog', { name: 'None of these claims can move' }),
  );
  expect(dialog.getByText('It is already Paid.')).toBeTruthy();
  expect(dialog.getByText('and 1 more')).toBeTruthy();
  expect(dialog.getAllByRole('button').map((button) => button.textContent)).toEqual(['Close']);
});

test('a refused plan says why, and offers no Retry because it would be refused again', async () => {
  const sentence = 'Too many claims. Narrow to 10,000 or fewer.';
  server.use(
    http.post('*/api/batches', () => refusal(422, 'invalid_input', 'No.', { query: sentence })),
  );
  const { press } = await choose('Rahul Nair');
  await press('Accept…');
  const name = 'These claims cannot be moved';
  const dialog = within(await screen.findByRole('dialog', { name }));
  expect(dialog.getByText(sentence)).toBeTruthy();
  expect(dialog.getByText('Nothing was moved.')).toBeTruthy();
  expect(dialog.getAllByRole('button').map((button) => button.textContent)).toEqual(['Close']);
});

test('if no sheet arrives, Retry requests it again', async () => {
  serverBatches();
  server.use(
    http.post('*/api/batches', () => refusal(503, 'database_unavailable', 'Away.'), { once: true }),
  );
  const { user, press } = await choose('Rahul Nair');
  await press('Accept…');
  const dialog = await screen.findByRole('dialog', { name: "Couldn't prepare the summary" });
  expect(within(dialog).getByText('Away.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('alertdialog', { name: 'Accept 2 claims?' })).toBeTruthy();
});

test('a cancelled plan shows no sheet when its response arrives late', async () => {
  serverBatches();
  server.use(
    http.post('*/api/batches', async () => {
      await delay(1_000);
      return HttpResponse.json(sheet, { status: 201 });
    }),
  );
  const { user, press } = await choose('Rahul Nair');
  await press('Accept…');
  await screen.findByRole('dialog', { name: 'Checking the claims…' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  await delay(1_500);
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('Shift+A accepts the selected claims, and does nothing without a selection', async () => {
  const state = serverBatches();
  const { user, press } = await choose('Rahul Nair');
  await user.keyboard('{Shift>}A{/Shift}');
  await screen.findByRole('alertdialog', { name: 'Accept 2 claims?' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await press('Clear');
  await user.keyboard('{Shift>}A{/Shift}');
  expect(state.plans).toHaveLength(1);
});
