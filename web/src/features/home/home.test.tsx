import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { HomeFigures } from '../../entities/home/home';
import { heading, openApp, retryUntil } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';

const none = { count: 0, amount: 0 };
const paidToday = { count: 2, amount: 3_000 };
const day = (date: string, paid = none, minutes: number | null = null) => ({
  day: date,
  requested: { count: 4, amount: 5_000.5 },
  accepted: { count: 3, amount: 4_000 },
  paid,
  moneyIn: { count: 5, amount: 25_000 },
  medianMinutes: minutes,
  p90Minutes: minutes,
});
const ages = [
  { firstDay: '2026-11-16', lastDay: null, count: 1, amount: 10 },
  ...['15', '14', '12', '08'].map((date) => ({
    firstDay: `2026-11-${date}`,
    lastDay: `2026-11-${date}`,
    ...none,
  })),
  { firstDay: null, lastDay: '2026-10-16', count: 6, amount: 60 },
];
const figures: HomeFigures = {
  timeZone: 'Asia/Kolkata',
  today: '2026-11-16',
  days: [day('2026-11-15'), day('2026-11-16', paidToday, 240)],
  queues: [
    { status: 'Pending', total: { count: 7, amount: 70 }, oldestDay: '2026-10-02', ages },
    { status: 'Accepted', total: none, oldestDay: null, ages },
    { status: 'On hold', total: none, oldestDay: null, ages },
  ],
  codes: [
    { name: 'Desk 1', total: { count: 9, amount: 45_000 }, days: [20_000, 25_000] },
    { name: null, total: { count: 1, amount: 5_000 }, days: [5_000, 0] },
  ],
  people: [
    {
      name: 'asha',
      accepted: { count: 6, amount: 8_000 },
      paid: paidToday,
      held: none,
      rejected: none,
      returned: none,
    },
  ],
  medianMinutes: 240,
  p90Minutes: 2_880,
};

function serverHas(answer: HomeFigures = figures) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/home', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('days'));
      return HttpResponse.json(answer);
    }),
  );
  return asked;
}

const linkIn = (where: HTMLElement, name: string | RegExp) =>
  within(where).getByRole('link', { name }).getAttribute('href');
const tableOf = (name: string) => screen.findByRole('table', { name });

test('today, the queue and the admins are links to the lists that they count', async () => {
  serverHas();
  openApp('/Home');
  expect(await heading('Home')).toBeTruthy();
  const today = await screen.findByRole('list', { name: 'Today' });
  expect(linkIn(today, /^Requested today ?4/)).toBe('/Withdraw?from=2026-11-16&to=2026-11-16');
  expect(linkIn(today, /^Paid out today ?2/)).toBe(
    '/Withdraw?reached=Paid&reachedFrom=2026-11-16&reachedTo=2026-11-16',
  );
  expect(linkIn(today, /^Money in today ?5/)).toBe('/Data?from=2026-11-16&to=2026-11-16');
  expect(linkIn(today, /^Purchases to review/)).toBe('/Data?findings=only');

  const queue = await tableOf('Age of the queue');
  expect(linkIn(queue, '7')).toBe('/Withdraw?status=Pending');
  expect(within(queue).getAllByRole('link', { name: '6' })[0]?.getAttribute('href')).toBe(
    '/Withdraw?status=Pending&to=2026-10-16',
  );
  const people = await tableOf('Work by admin');
  expect(linkIn(people, '6')).toBe(
    '/Withdraw?reached=Accepted&reachedFrom=2026-11-15&reachedTo=2026-11-16&reachedBy=asha',
  );
});

test.each([
  ['0', () => HttpResponse.json({ count: 0, invest: 0, dailyIncome: 0, isExact: true })],
  ['12', () => HttpResponse.json({ count: 12, invest: 0, dailyIncome: 0, isExact: true })],
  ['–', () => refusal(403, 'forbidden', 'Not now.')],
  ['–', () => new Promise<Response>(() => {})],
])('purchases to review: %s, and no number unless it is known', async (shown, answer) => {
  serverHas();
  let isAsked = false;
  server.use(
    http.get('*/api/purchases/totals', () => {
      isAsked = true;
      return answer();
    }),
  );
  openApp('/Home');
  const today = within(await screen.findByRole('list', { name: 'Today' }));
  await waitFor(() => expect(isAsked).toBe(true));
  const label = `Purchases to review${shown}Findings that nobody has checked`;
  const card = today.getByRole('link', { name: /^Purchases to review/ });
  await waitFor(() => expect(card.textContent).toBe(label));
});

test('the oldest claim has a year if it is not this year', async () => {
  const [first, ...others] = figures.queues;
  if (!first) throw new Error('There is no queue');
  const old = { ...first, status: 'On hold' as const, oldestDay: '2025-01-01' };
  serverHas({ ...figures, queues: [first, ...others.slice(0, 1), old] });
  openApp('/Home');
  const queue = within(await tableOf('Age of the queue'));
  expect(queue.getByText('· oldest 2 Oct')).toBeTruthy();
  expect(queue.getByText('· oldest 1 Jan 2025')).toBeTruthy();
});

test('each chart has a table behind it, newest day first', async () => {
  serverHas();
  const { user } = openApp('/Home');
  const chart = within(await screen.findByRole('region', { name: 'Claims per day' }));
  expect(chart.getByRole('img', { name: /^Claims per day, 15 Nov to 16 Nov/ })).toBeTruthy();
  await user.click(chart.getByText('Show as a table'));
  const table = within(chart.getByRole('table', { name: 'Claims per day' }));
  expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
    '16 Nov',
    '15 Nov',
  ]);
  expect(table.getByRole('link', { name: '2' }).getAttribute('href')).toBe(
    '/Withdraw?reached=Paid&reachedFrom=2026-11-16&reachedTo=2026-11-16',
  );
  const time = within(screen.getByRole('region', { name: 'Time from request to payment' }));
  expect(time.getAllByText('4 h').length).toBeGreaterThan(0);
  expect(time.getByText('2 days')).toBeTruthy();
  const money = within(screen.getByRole('region', { name: 'Money in per QR code and day' }));
  expect(money.getAllByRole('link', { name: '₹45,000' })[0]?.getAttribute('href')).toBe(
    '/Data?qr=Desk+1&from=2026-11-15&to=2026-11-16',
  );
});

test('the period is part of the address', async () => {
  const asked = serverHas();
  const { user } = openApp('/Home');
  await user.click(await screen.findByRole('link', { name: 'Last 90 days' }));
  await waitFor(() => expect(asked.at(-1)).toBe('90'));
  expect(window.location.search).toBe('?days=90');
  expect(screen.getByRole('link', { name: 'Last 90 days' }).getAttribute('aria-current')).toBe(
    'true',
  );
});

test('a failing webhook is named', async () => {
  serverHas();
  const endpoint = { _id: 'w1', url: 'https://shop.example.in/hooks', failingSince: '2026-11-16' };
  server.use(http.get('*/api/webhooks', () => HttpResponse.json([endpoint])));
  openApp('/Home');
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('https://shop.example.in/hooks')).toBeTruthy();
  expect(alert.getByRole('link', { name: 'Open Webhooks' }).getAttribute('href')).toBe(
    '/Settings/Webhooks',
  );
});

test('who revealed numbers until the limit refused more is named, with the newest time', async () => {
  serverHas();
  const asked: URLSearchParams[] = [];
  const refused = (_id: string, actor: string, minute: string) => ({
    _id,
    actor,
    createdAt: `2026-11-16T02:${minute}:00.000Z`,
    verb: 'admin.reveals_refused',
  });
  server.use(
    http.get('*/api/audit', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json([
        refused('12', 'meera', '22'),
        refused('11', 'john', '21'),
        refused('10', 'meera', '20'),
      ]);
    }),
  );
  openApp('/Home');
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('meera, 16 Nov 2026, 07:52')).toBeTruthy();
  expect(alert.getByText('john, 16 Nov 2026, 07:51')).toBeTruthy();
  expect(alert.queryByText('meera, 16 Nov 2026, 07:50')).toBeNull();
  expect(alert.getByRole('link', { name: 'Open Audit' }).getAttribute('href')).toBe(
    '/Audit?verb=admin.reveals_refused',
  );
  expect(asked[0]?.get('verb')).toBe('admin.reveals_refused');
});

test('a failure says so and offers a retry', async () => {
  server.use(http.get('*/api/home', () => refusal(422, 'invalid_input', 'Not now.')));
  const { user } = openApp('/Home');
  expect(await screen.findByText('The figures could not be loaded.')).toBeTruthy();
  serverHas();
  const table = { name: 'Age of the queue' };
  expect(await retryUntil(user, () => screen.getByRole('table', table))).toBeTruthy();
});
