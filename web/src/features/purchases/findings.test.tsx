import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import type { Purchase } from '../../entities/purchase/purchase';
import { openApp, openRow, rowOf } from '../../testing/openApp';
import { purchases } from '../../testing/sampleData';
import { server } from '../../testing/server';

const [plain] = purchases as [Purchase];
const marked: Purchase = {
  ...plain,
  _id: 'p2',
  user: { ...plain.user, username: 'Sneha Sharma' },
  findings: [
    { code: 'repeated', sentence: 'Another purchase has this ID.' },
    { code: 'other_day', sentence: 'The reference is from another day.' },
  ],
};
const both = 'Another purchase has this ID.The reference is from another day.';

/** Serves these purchases and records the requests. */
function serverHas(rows: Purchase[]) {
  const asked: string[] = [];
  const matching = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    asked.push(`${pathname} ${searchParams.get('review')}`);
    return rows.filter(({ findings }) => !searchParams.has('review') || findings.length > 0);
  };
  server.use(
    http.get('*/api/purchases/all', ({ request }) => HttpResponse.json(matching(request))),
    http.get('*/api/purchases/totals', ({ request }) => {
      const count = matching(request).length;
      return HttpResponse.json({ count, invest: count * 100000, dailyIncome: 0, isExact: true });
    }),
  );
  return asked;
}

const tip = () => screen.queryByRole('tooltip')?.textContent;

test('hover, focus and tap show the findings behind a mark; Escape and a tap elsewhere hide them', async () => {
  serverHas([plain, marked]);
  const { user } = openApp('/Data');
  const row = await rowOf('Sneha Sharma');
  const mark = row.getByRole('button', { name: '2 findings' });
  expect((await rowOf('Rahul Nair')).queryByRole('button', { name: /finding/ })).toBeNull();
  expect(mark.getAttribute('aria-description')).toBe(
    'Another purchase has this ID. The reference is from another day.',
  );

  await user.hover(mark);
  expect(tip()).toBe(both);
  await user.unhover(mark);
  expect(tip()).toBeUndefined();

  act(() => mark.focus());
  expect(tip()).toBe(both);
  await user.keyboard('{Escape}');
  expect(tip()).toBeUndefined();
  expect(document.activeElement).toBe(mark);
  await user.keyboard('{Enter}');
  expect(tip()).toBe(both);
  act(() => mark.blur());
  expect(tip()).toBeUndefined();

  // Some phones do not focus a tapped element, so no blur follows.
  fireEvent.click(mark);
  expect(tip()).toBe(both);
  fireEvent.pointerDown(row.getByText('Daily'));
  expect(tip()).toBeUndefined();

  await openRow(user, 'Sneha Sharma');
  const panel = within(await screen.findByRole('dialog', { name: 'Sneha Sharma' }));
  expect(panel.getByText('000723636150')).toBeTruthy();
  for (const { sentence } of marked.findings) expect(panel.getByText(sentence)).toBeTruthy();
});

test('the findings filter narrows the list and the totals, and is stored in the URL', async () => {
  const asked = serverHas([plain, marked]);
  const { user } = openApp('/Data');
  await screen.findByText('2 purchases · ₹2,00,000.00');
  asked.length = 0;
  const only = screen.getByRole('button', { name: 'Needs review' });
  expect(only.getAttribute('aria-pressed')).toBe('false');
  await user.click(only);
  await screen.findByText('1 purchase · ₹1,00,000.00');
  expect(screen.queryByText('Rahul Nair')).toBeNull();
  expect(only.getAttribute('aria-pressed')).toBe('true');
  expect(window.location.search).toBe('?findings=only');
  expect(new Set(asked)).toEqual(
    new Set(['/api/purchases/all only', '/api/purchases/totals only']),
  );
  await user.click(only);
  await screen.findByText('Rahul Nair');
  expect(window.location.search).toBe('');
});

test('an empty findings filter explains what gets a finding, unless a search is also active', async () => {
  serverHas([plain]);
  const { user } = openApp('/Data?findings=only');
  expect(await screen.findByText(/^No purchase needs review\. One does when/)).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'Sneha');
  expect(
    await screen.findByText(
      'No purchase that needs review matches this search and the other filters.',
    ),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Rahul Nair')).toBeTruthy();
});

test('on a phone the findings filter is in the Filters panel', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('767') }) as MediaQueryList,
  );
  serverHas([plain, marked]);
  const { user } = openApp('/Data');
  expect((await rowOf('Sneha Sharma')).getByRole('button', { name: '2 findings' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Needs review' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Needs review' }));
  await waitFor(() => expect(screen.queryByText('Rahul Nair')).toBeNull());
  expect(window.location.search).toBe('?findings=only');
  expect(screen.getByRole('button', { name: 'Filters 1' })).toBeTruthy();
});
