import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp } from '../../../testing/openApp';
import { server } from '../../../testing/server';
import { totalsOf } from '../../../testing/totals';
import type { View } from '../../../ui/table/filters/view';
import { ageOf, type Figures, figuresFor, formatShort, statusItems } from './figures';

afterEach(() => void vi.useRealTimers());

const statusGroup = async () => within(await screen.findByRole('group', { name: 'Status' }));
const namesIn = (group: Awaited<ReturnType<typeof statusGroup>>) =>
  group.getAllByRole('button').map((item) => item.textContent);
const isPressed = (item: HTMLElement) => item.getAttribute('aria-pressed') === 'true';

test('one bar has every status with its count and sum, in the order of the work', async () => {
  serverMoves([claimOf(1), claimOf(2), claimOf(3, 'Accepted'), claimOf(4, 'On hold')]);
  const { user } = openApp('/Withdraw');
  const bar = await statusGroup();
  const pending = await bar.findByRole('button', { name: /^Pending 2 / });
  expect(namesIn(bar)).toEqual([
    'All 4 ₹31,870',
    'Pending 2 ₹15,935',
    'Accepted 1 ₹7,968',
    'On hold 1 ₹7,968',
    'Paid 0 ₹0',
    'Rejected 0 ₹0',
    'Returned 0 ₹0',
  ]);
  expect(pending.title).toBe('₹15,935.12');
  expect(isPressed(bar.getByRole('button', { name: /^All/ }))).toBe(true);
  await user.click(pending);
  expect(window.location.search).toBe('?status=Pending');
  expect(isPressed(pending)).toBe(true);
  expect(screen.queryAllByRole('group', { name: 'Queues' })).toEqual([]);
});

test('the counts follow the search and the filters, which another status keeps', async () => {
  const asked: string[] = [];
  server.use(
    http.get('*/api/claims/totals', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(totalsOf([claimOf(1), claimOf(2, 'Paid')]));
    }),
  );
  const { user } = openApp('/Withdraw?q=rahul&status=Pending&movedFrom=2026-11-16&min=5');
  const bar = await statusGroup();
  await user.click(await bar.findByRole('button', { name: /^Paid 1 / }));
  expect(window.location.search).toBe('?q=rahul&status=Paid&movedFrom=2026-11-16&min=5');
  await user.click(bar.getByRole('button', { name: /^All/ }));
  expect(window.location.search).toBe('?q=rahul&movedFrom=2026-11-16&min=5');
  await waitFor(() => expect(asked.at(-1)).toBe('?q=rahul&movedFrom=2026-11-16&minAmount=5'));
  expect(asked[0]).toBe('?q=rahul&status=Pending&movedFrom=2026-11-16&minAmount=5');
});

test('paid this week is one click, without any other filter, and a second click leads back', async () => {
  const { user } = openApp('/Withdraw?q=rahul&status=Pending&min=5');
  const week = await screen.findByRole('button', { name: /^Paid this week 1 · ₹12/ });
  await user.click(week);
  expect(window.location.search).toBe('?status=Paid&movedFrom=2026-11-16&movedTo=2026-11-16');
  expect(isPressed(week)).toBe(true);
  await user.click(week);
  expect(window.location.search).toBe('');
});

test('the oldest claim of the chosen status is one click away', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-09-24T12:00:00Z') });
  const { user } = openApp('/Withdraw');
  await user.click(await screen.findByRole('button', { name: 'Oldest pending 3 days' }));
  expect(window.location.search).toBe('?status=Pending&sort=createdAt');
});

test('an empty table says which filters are the reason, and they can be cleared', async () => {
  server.use(http.get('*/api/claims/all', () => HttpResponse.json([])));
  const { user } = openApp('/Withdraw?q=rahul&status=Pending&min=5');
  expect(
    await screen.findByText(
      'No claim matches Status: Pending, Amount: from ₹5 and the search “rahul”.',
    ),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(window.location.search).toBe('?status=Pending');
  expect(await screen.findByText('No claim is Pending.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(window.location.search).toBe('');
});

test('a count that is not complete is shown as a minimum, without a sum', () => {
  const totals = totalsOf([claimOf(1)]);
  const [first, ...rest] = totals.byStatus;
  const byStatus = [{ ...first, count: 12_345, amount: null, isExact: false }, ...rest];
  const items = statusItems({ ...totals, byStatus } as Parameters<typeof statusItems>[0]);
  expect(items[1]).toEqual({ status: 'Pending', count: '10,000+', amount: null });
  expect(items[0]).toEqual({ status: '', count: '10,000+', amount: null });
});

const figures: Figures = {
  oldest: [{ status: 'Pending', createdAt: '2026-11-10T00:00:00Z' }],
  paidToday: { since: '2026-11-17', count: 2, amount: 10, isExact: true },
  paidThisWeek: { since: '2026-11-16', count: 10_000, amount: null, isExact: false },
};

test.each([
  ['', {}, ['Oldest pending', 'Paid today', 'Paid this week'], ''],
  ['', { status: 'On hold' }, ['Paid today', 'Paid this week'], ''],
  ['', { status: 'Paid', movedFrom: '2026-11-17', movedTo: '2026-11-17' }, 2, 'Paid today'],
  ['', { status: 'Paid', movedFrom: '2026-11-16', movedTo: '2026-11-17' }, 2, 'Paid this week'],
  ['a', { status: 'Paid', movedFrom: '2026-11-16', movedTo: '2026-11-17' }, 2, ''],
  ['', { status: 'Paid', movedFrom: '2026-11-16' }, 2, ''],
  ['', { status: 'Paid', movedFrom: '2026-11-16', movedTo: '2026-11-17', min: '5' }, 2, ''],
])('%s %j shows the figures %j, of which %j is chosen', (q, filters, names, chosen) => {
  const view: View = { q, sort: '', hidden: [], filters: filters as View['filters'] };
  const found = figuresFor(view, figures);
  if (Array.isArray(names)) expect(found.map(({ name }) => name)).toEqual(names);
  else expect(found).toHaveLength(names as number);
  expect(found.find(({ isShown }) => isShown)?.name ?? '').toBe(chosen);
});

test('a figure has its count and sum', () => {
  const view: View = { q: '', sort: '', hidden: [], filters: {} };
  expect(
    figuresFor(view, figures)
      .map(({ value }) => value)
      .slice(1),
  ).toEqual(['2 · ₹10', '10,000+']);
});

test.each([
  ['2026-11-15T11:59:30Z', '0 min'],
  ['2026-11-15T11:15:00Z', '45 min'],
  ['2026-11-15T09:30:00Z', '2 h'],
  ['2026-11-14T11:00:00Z', '1 day'],
  ['2026-11-12T11:00:00Z', '3 days'],
])('%s is %s old', (at, age) => {
  expect(ageOf(at, Date.parse('2026-11-15T12:00:00Z'))).toBe(age);
});

test.each([
  [99_999, '₹99,999'],
  [3_63_000, '₹3.63 L'],
  [16_68_08_464.11, '₹16.7 Cr'],
  [999_40_00_000, '₹999 Cr'],
  [999_60_00_000, '₹1,000 Cr'],
  [2_488_95_58_856.57, '₹2,489 Cr'],
])('%d rupees are shortened to %s', (amount, shown) => {
  expect(formatShort(amount)).toBe(shown);
});
