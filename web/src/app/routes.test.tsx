import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { pageOf } from '../api/pages';
import { createQueryClient } from '../api/queryClient';
import { userList } from '../entities/user/user';
import { serverHasUsers } from '../testing/longList';
import { heading, openApp } from '../testing/openApp';
import { server } from '../testing/server';
import { isAt, routeAt, routes, screenOr } from './routes';

test('every route has its own path, a title and a screen that loads', async () => {
  expect(new Set(routes.map(({ path }) => path.toLowerCase())).size).toBe(routes.length);
  for (const { path, title, menu, preload } of routes) {
    expect(path).toMatch(/^\/\w/);
    expect(title).not.toBe('');
    if (menu) expect([menu.label, routeAt(path)?.menu]).toEqual([expect.any(String), menu]);
    await expect(preload()).resolves.toBeUndefined();
  }
});

test.each([
  ['/Withdraw', '', ['/api/claims/all?with=payout&limit=50']],
  [
    '/withdraw/',
    '?status=Paid&min=5&sort=-amount&hide=ifsc&from=never',
    ['/api/claims/all?status=Paid&minAmount=5&sort=-amount&with=payout&limit=50'],
  ],
  ['/reg', '?q=rahul', ['/api/users?q=rahul&limit=50']],
  ['/QR', '', ['/api/qr']],
  ['/Settings', '', ['/api/policy']],
  ['/Settings/Account', '', ['/api/admin/account']],
  ['/Settings/Keys', '', ['/api/keys']],
  ['/settings/webhooks', '', ['/api/webhooks']],
  ['/client/u1', '', ['/api/clients/u1']],
])('%s%s starts with the request of its own screen', async (path, search, calls) => {
  server.use(http.get('*/api/clients/u1', () => HttpResponse.json({})));
  const asked: string[] = [];
  const note = ({ request }: { request: Request }) => {
    const { pathname, search: query } = new URL(request.url);
    asked.push(pathname + query);
  };
  server.events.on('request:start', note);
  window.history.replaceState(null, '', path + search);
  await routeAt(path)?.readFirst(createQueryClient(), path.split('/')[2] ?? '');
  server.events.removeListener('request:start', note);
  expect(asked).toEqual(calls);
});

test('the first request of a screen is the one that the screen then uses', async () => {
  const state = serverHasUsers(300);
  window.history.replaceState(null, '', '/reg?q=ra');
  const client = createQueryClient();
  await routeAt('/reg')?.readFirst(client, '');
  expect(pageOf(client, userList, { q: 'ra' }, 0)?.rows.length).toBe(50);
  expect(state.reads).toEqual([{ limit: '50', q: 'ra' }]);
});

test('an id is one segment, and a remembered address must be a screen', () => {
  expect(isAt('/Client/u1/', '/client/:id')).toBe(true);
  expect(isAt('/client/u1/more', '/client/:id')).toBe(false);
  expect(screenOr('/reg?q=a')).toBe('/reg?q=a');
  expect([screenOr('https://elsewhere.test'), screenOr(null)]).toEqual(['/Data', '/Data']);
});

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
  ['/Settings/Account', 'My account'],
  ['/Settings/Keys', 'Keys'],
  ['/settings/webhooks/', 'Webhooks'],
  ['/settings/import', 'Import'],
  ['/settings/health', 'Health'],
])('%s shows %s', async (path, title) => {
  openApp(path);
  expect(await heading(title)).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(`${title} · Countinghouse`));
});

test('/clients/ID, as the API calls it, leads to the page of the client', async () => {
  server.use(http.get('*/api/clients/u1', () => HttpResponse.json({})));
  openApp('/clients/u1');
  await waitFor(() => expect(window.location.pathname).toBe('/client/u1'));
});

test.each(['/nowhere', '/Data/more', '/Withdraw2', '/client', '/client/'])(
  'the unknown path %s leads to login',
  async (path) => {
    openApp(path);
    expect(await heading('Login')).toBeTruthy();
    expect(window.location.pathname).toBe('/');
  },
);

test.each(['/Data', '/Withdraw', '/Qr', '/reg', '/Settings', '/Settings/Keys', '/client/u1'])(
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
