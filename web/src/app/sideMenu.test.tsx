import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test, vi } from 'vitest';
import { heading, openApp } from '../testing/openApp';
import { server } from '../testing/server';

async function openMenu(path = '/Data', opening: Parameters<typeof openApp>[1] = {}) {
  const app = openApp(path, opening);
  const hamburger = await screen.findByRole('button', { name: 'Menu' });
  await app.user.click(hamburger);
  return { ...app, hamburger, menu: await screen.findByRole('navigation') };
}

test('the menu shows the four links with their exact labels, and Home, Audit and Settings below them', async () => {
  const { menu } = await openMenu();
  await within(menu).findByRole('link', { name: 'Audit' });
  const links = within(menu).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Data', '/Data'],
    ['Withdraw', '/Withdraw'],
    ['QR', '/QR'],
    ['User Registre Data', '/reg'],
    ['Home', '/Home'],
    ['Audit', '/Audit'],
    ['Settings', '/Settings'],
  ]);
});

test('Audit is not shown to an admin who may not read the log', async () => {
  const { menu } = await openMenu('/Data', { permissions: ['purchases.read', 'claims.read'] });
  expect(within(menu).getByRole('link', { name: 'Withdraw' })).toBeTruthy();
  expect(within(menu).queryByRole('link', { name: 'Audit' })).toBeNull();
});

test('permissions that are read later hide links and keep the rows that were read', async () => {
  server.use(
    http.get('*/api/admin/me', () =>
      HttpResponse.json({ username: 'vera', permissions: ['purchases.read', 'claims.read'] }),
    ),
  );
  const { menu, queryClient } = await openMenu('/Data', { permissions: null });
  const clear = vi.spyOn(queryClient, 'clear');
  await waitFor(() => expect(within(menu).queryByRole('link', { name: 'Audit' })).toBeNull());
  expect(clear).not.toHaveBeenCalled();
});

test('the focus stays where the admin moved it when the layout is drawn again', async () => {
  let answer = () => {};
  const read = new Promise<void>((resolve) => {
    answer = resolve;
  });
  server.use(
    http.get('*/api/admin/me', async () => {
      await read;
      return HttpResponse.json({ username: 'vera', permissions: ['purchases.read', 'qr.read'] });
    }),
  );
  const { menu, user } = await openMenu('/Data', { permissions: null });
  await user.tab();
  await user.tab();
  const chosen = within(menu).getByRole('link', { name: 'QR' });
  expect(document.activeElement).toBe(chosen);
  answer();
  await waitFor(() => expect(within(menu).queryByRole('link', { name: 'Audit' })).toBeNull());
  expect(document.activeElement).toBe(chosen);
});

test('the open menu makes the rest of the page inert and sets aria-expanded on the hamburger', async () => {
  const { hamburger } = await openMenu();
  expect(hamburger.getAttribute('aria-expanded')).toBe('true');
  expect(document.querySelector('main')?.hasAttribute('inert')).toBe(true);
  expect(document.querySelector('header')?.hasAttribute('inert')).toBe(true);
});

test.each(['/Qr', '/QR', '/qr'])('%s highlights QR and puts the focus on it', async (path) => {
  const { menu } = await openMenu(path);
  const current = within(menu).getByRole('link', { current: 'page' });
  expect(current.textContent).toBe('QR');
  expect(document.activeElement).toBe(current);
});

test('Escape closes the menu and returns the focus to the hamburger', async () => {
  const { user, hamburger } = await openMenu();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('navigation')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(hamburger));
});

test('a click on the overlay closes the menu', async () => {
  const { user, hamburger } = await openMenu();
  await user.click(screen.getByTestId('overlay'));
  expect(screen.queryByRole('navigation')).toBeNull();
  expect(hamburger.getAttribute('aria-expanded')).toBe('false');
});

test('choosing a link closes the menu and opens the screen', async () => {
  const { user, menu } = await openMenu();
  await user.click(within(menu).getByRole('link', { name: 'QR' }));
  expect(await heading('QR Code Upload')).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});
