import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { heading, openApp } from '../testing/openApp';

test.each([
  ['/Data', 'Client Data'],
  ['/data', 'Client Data'],
  ['/Withdraw', 'All Claim Requests'],
  ['/Qr', 'QR Code Upload'],
  ['/QR', 'QR Code Upload'],
  ['/reg', 'Registered Users'],
  ['/REG/', 'Registered Users'],
  ['/Settings', 'Settings'],
  ['/settings', 'Settings'],
])('%s shows %s', async (path, title) => {
  openApp(path);
  expect(await heading(title)).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(`${title} · Countinghouse`));
});

test.each(['/nowhere', '/Data/more', '/Withdraw2', '/client', '/client/'])(
  'the unknown path %s leads to login',
  async (path) => {
    openApp(path);
    expect(await heading('Login')).toBeTruthy();
    expect(window.location.pathname).toBe('/');
  },
);

test.each(['/Data', '/Withdraw', '/Qr', '/reg', '/Settings', '/client/u1'])(
  '%s without a token leads to login',
  async (path) => {
    openApp(path, { token: null });
    expect(await heading('Login')).toBeTruthy();
    expect(window.location.pathname).toBe('/');
    expect(screen.queryByRole('alert')).toBeNull();
  },
);

test('the login route shows no layout, even with a token', async () => {
  openApp('/');
  await heading('Login');
  expect(screen.queryByRole('banner')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull();
});

test('changing the screen moves the focus to the new title', async () => {
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(await screen.findByRole('link', { name: 'Withdraw' }));
  const title = await heading('All Claim Requests');
  await waitFor(() => expect(document.activeElement).toBe(title));
});
