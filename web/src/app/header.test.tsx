import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { startSession } from '../api/session';
import { heading, openApp } from '../testing/openApp';
import { claims, users } from '../testing/sampleData';
import { server } from '../testing/server';

function onAScreenOf(width: number) {
  const none = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        ...none,
        matches: width >= Number(/min-width: (\d+)px/.exec(query)?.[1] ?? Number.POSITIVE_INFINITY),
      }) as unknown as MediaQueryList,
  );
}

test('a link at the top of the page skips to the first row', async () => {
  const { user } = openApp('/Withdraw');
  await screen.findByText('Rahul Nair');
  const [first, second] = screen.getAllByRole('link');
  expect(first?.textContent).toBe('Skip to content');
  expect(second?.textContent).toBe('Skip to the first row');
  second?.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('2');
});

test('the header names the admin, and its menu leads to the account', async () => {
  startSession('stored', 'asha', []);
  const { user } = openApp('/Data');
  await user.click(await screen.findByRole('button', { name: 'Account of asha' }));
  const items = screen.getAllByRole('menuitem').map((item) => item.firstChild?.textContent);
  expect(items).toEqual([
    'Dark theme',
    'Keyboard shortcuts',
    'Change password',
    'My sessions',
    'Logout',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /Keyboard shortcuts/ }));
  expect(await screen.findByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
});

test('a wide screen keeps the menu open, and remembers that it was collapsed', async () => {
  onAScreenOf(1600);
  const { user, unmount } = openApp('/Data');
  const rail = within(await screen.findByRole('navigation', { name: 'Main menu' }));
  expect(rail.getByRole('link', { current: 'page' }).textContent).toBe('Data');
  await user.click(rail.getByRole('link', { name: 'Withdraw' }));
  await heading('All Claim Requests');
  await user.click(rail.getByRole('button', { name: 'Hide labels' }));
  expect(rail.getByRole('link', { name: 'Withdraw' })).toBeTruthy();
  unmount();
  openApp('/Data');
  expect(await screen.findByRole('button', { name: 'Show labels' })).toBeTruthy();
});

test('a laptop starts with the icons alone, and shows the labels on request', async () => {
  onAScreenOf(1440);
  const { user, unmount } = openApp('/Data');
  await user.click(await screen.findByRole('button', { name: 'Show labels' }));
  unmount();
  openApp('/Data');
  expect(await screen.findByRole('button', { name: 'Hide labels' })).toBeTruthy();
});

test('Ctrl K finds a claim by its number and opens it', async () => {
  const searched: string[] = [];
  const record = (request: Request) =>
    void searched.push(new URL(request.url).searchParams.get('q') ?? '');
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      record(request);
      return HttpResponse.json(claims.slice(0, 1));
    }),
    // No user has such a number.
    http.get('*/api/users', ({ request }) =>
      HttpResponse.json(request.url.includes('q=C-') ? [] : users),
    ),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  const { user } = openApp('/reg');
  await heading('Registered Users');
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: /^Claim number/ });
  const [claim] = claims;
  await user.type(field, 'C-100');
  const option = await screen.findByRole('option', { name: new RegExp(claim?.number ?? '') });
  expect(option.getAttribute('aria-selected')).toBe('true');
  expect(searched.at(-1)).toBe('C-100');
  await waitFor(async () => {
    await user.keyboard('{Enter}');
    expect(window.location.pathname).toBe(`/Withdraw/${claim?.number}`);
  });
  expect(screen.queryByRole('combobox', { name: /^Claim number/ })).toBeNull();
});

test('the palette opens screens and does things without asking the server', async () => {
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.click(screen.getByRole('button', { name: /^Go to/ }));
  await user.keyboard('s');
  await user.click(await screen.findByRole('option', { name: /^Settings/ }));
  await heading('Settings');
  expect(window.location.pathname).toBe('/Settings');
});

test('the palette says that nothing was found', async () => {
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([])),
    http.get('*/api/users', () => HttpResponse.json([])),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.keyboard('{Control>}k{/Control}zzzz');
  expect(await screen.findByText(/^Nothing found/)).toBeTruthy();
  await user.keyboard('{Escape}');
});
