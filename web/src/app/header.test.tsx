import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startSession } from '../api/session';
import { heading, openApp } from '../testing/openApp';

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
