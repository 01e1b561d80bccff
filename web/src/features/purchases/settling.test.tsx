import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Purchase } from '../../entities/purchase/purchase';
import { openApp, openRow } from '../../testing/openApp';
import { purchases } from '../../testing/sampleData';
import { refusal, server } from '../../testing/server';

const [plain] = purchases as [Purchase];
const flagged: Purchase = {
  ...plain,
  findings: [{ code: 'repeated', sentence: 'Another purchase has this ID.' }],
};
const settled: Purchase = {
  ...flagged,
  isChecked: true,
  checkedBy: 'asha',
  checkedAt: '2026-11-16T08:30:00.000Z',
  checkedNote: 'Paid in two parts.',
};

/** Serves this purchase, and records the bodies of the checks. */
function serverHas(first: Purchase) {
  let now = first;
  const sent: unknown[] = [];
  server.use(
    http.get('*/api/purchases/all', () => HttpResponse.json([now])),
    http.get('*/api/purchases/p1/details', () => HttpResponse.json({ purchase: now, related: [] })),
    http.put('*/api/purchases/p1/checked', async ({ request }) => {
      sent.push(await request.json());
      now = settled;
      return HttpResponse.json(now);
    }),
    http.delete('*/api/purchases/p1/checked', () => {
      now = flagged;
      return HttpResponse.json(now);
    }),
  );
  return sent;
}

async function openPanel(permissions = ['purchases.read', 'purchases.check']) {
  const app = openApp('/Data', { permissions });
  await openRow(app.user, 'Rahul Nair');
  const dialog = await screen.findByRole('dialog', { name: 'Rahul Nair' });
  return { ...app, panel: within(dialog) };
}

test('findings are checked with a note, and can need review again', async () => {
  const sent = serverHas(flagged);
  const { user, panel } = await openPanel();
  expect(panel.getByRole('heading', { name: 'Needs review' })).toBeTruthy();
  // What is found comes before the button that settles it.
  const finding = panel.getByText('Another purchase has this ID.');
  const settle = panel.getByRole('button', { name: 'Mark as checked' });
  const order = finding.compareDocumentPosition(settle);
  expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Mark as checked' }));
  expect(
    panel.getByText('Enter what you found. Other admins will see it.').getAttribute('role'),
  ).toBe('alert');
  expect(sent).toEqual([]);

  await user.type(panel.getByRole('textbox', { name: 'Note' }), ' Paid in two parts. ');
  await user.click(panel.getByRole('button', { name: 'Mark as checked' }));
  expect(await panel.findByRole('heading', { name: 'Checked' })).toBeTruthy();
  expect(sent).toEqual([{ note: 'Paid in two parts.', findings: ['repeated'] }]);
  expect(panel.getByText('Paid in two parts.')).toBeTruthy();
  expect(panel.getByText(/^asha, /)).toBeTruthy();
  expect(
    await screen.findByRole('button', { name: '1 finding, checked', hidden: true }),
  ).toBeTruthy();

  await user.click(panel.getByRole('button', { name: 'Needs review again' }));
  expect(await panel.findByRole('textbox', { name: 'Note' })).toBeTruthy();
});

test('a purchase opened by its address, which is not in the list, is shown as checked', async () => {
  serverHas(flagged);
  server.use(
    http.get('*/api/purchases/all', ({ request }) =>
      new URL(request.url).searchParams.has('number') ? undefined : HttpResponse.json([]),
    ),
  );
  const permissions = ['purchases.read', 'purchases.check'];
  const { user } = openApp('/Data/P-10001', { permissions });
  const panel = within(await screen.findByRole('dialog', { name: 'Rahul Nair' }));
  await user.type(panel.getByRole('textbox', { name: 'Note' }), 'Paid in two parts.');
  await user.click(panel.getByRole('button', { name: 'Mark as checked' }));
  expect(await panel.findByRole('heading', { name: 'Checked' })).toBeTruthy();
});

test('a refusal is shown beside the note, which stays', async () => {
  serverHas(flagged);
  server.use(
    http.put('*/api/purchases/p1/checked', () =>
      refusal(409, 'findings_changed', 'Something else was found about this purchase meanwhile.'),
    ),
  );
  const { user, panel } = await openPanel();
  await user.type(panel.getByRole('textbox', { name: 'Note' }), 'Fine.');
  await user.click(panel.getByRole('button', { name: 'Mark as checked' }));
  expect(await panel.findByText(/^Something else was found about/)).toBeTruthy();
  expect(panel.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('Fine.');
});

test('the panel says that something else was found since the last check', async () => {
  serverHas({ ...settled, isChecked: false });
  const { panel } = await openPanel();
  expect(panel.getByText('There are new findings since then.')).toBeTruthy();
  expect(panel.getByRole('textbox', { name: 'Note' })).toBeTruthy();
});

test('who may not check sees only what was noted, and a purchase without findings asks nothing', async () => {
  serverHas(settled);
  const { panel } = await openPanel(['purchases.read']);
  expect(panel.getByText('Paid in two parts.')).toBeTruthy();
  expect(panel.queryByRole('button', { name: 'Needs review again' })).toBeNull();
});

test('the menu counts what needs review', async () => {
  server.use(
    http.get('*/api/purchases/totals', ({ request }) => {
      const count = new URL(request.url).searchParams.has('review') ? 12 : 40;
      return HttpResponse.json({ count, invest: 1, dailyIncome: 1, isExact: true });
    }),
  );
  const { user } = openApp('/Withdraw');
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  const link = await screen.findByRole('link', { name: 'Data' });
  await waitFor(() => expect(link.getAttribute('aria-description')).toBe('12 need review'));
});
