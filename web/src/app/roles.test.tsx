import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { heading, openApp, openRow, rowOf } from '../testing/openApp';
import { claims, detailsOf, me, viewerPermissions } from '../testing/sampleData';
import { server } from '../testing/server';

const buttonsIn = (row: Awaited<ReturnType<typeof rowOf>>) =>
  row.queryAllByRole('button').map((button) => button.getAttribute('aria-label')?.split(',')[0]);

test('a viewer sees claims without buttons, and no tools for many at once', async () => {
  const { user } = openApp('/Withdraw', { permissions: viewerPermissions });
  const row = await rowOf('Rahul Nair');
  expect(buttonsIn(row)).toEqual(['More']);
  await user.click(row.getByRole('checkbox'));
  await screen.findByText(/1 claim selected/i);
  expect(screen.queryByRole('button', { name: 'Accept…' })).toBeNull();
});

test('a viewer cannot sort by numbers that are masked', async () => {
  openApp('/Withdraw', { permissions: viewerPermissions });
  await rowOf('Rahul Nair');
  expect(screen.getByRole('button', { name: 'IFSC' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Mobile' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Account No' })).toBeNull();
});

test('a reviewer accepts and does not pay', async () => {
  openApp('/Withdraw', { permissions: [...viewerPermissions, 'claims.accept', 'batches.move'] });
  expect(buttonsIn(await rowOf('Rahul Nair'))).toEqual(['Accept', 'More']);
});

test('a viewer neither uploads nor displays codes', async () => {
  openApp('/QR', { permissions: viewerPermissions });
  const table = await screen.findByRole('table', { name: 'QR Table' });
  await within(table).findByText('Front desk');
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
  for (const name of [/^Display/, /^Hide/, /^Delete/, /^Confirm/]) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

test('pages that the role does not include are not linked', async () => {
  openApp('/Settings', { permissions: viewerPermissions });
  await heading('Settings');
  expect(screen.queryByRole('link', { name: 'Keys' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Webhooks' })).toBeNull();
  const rule = await screen.findByRole('switch', { name: /bank reference/i });
  expect(rule.ariaDisabled ?? rule.getAttribute('aria-disabled')).toBe('true');
});

test('without an answer of the login, the server is asked', async () => {
  server.use(
    http.get('*/api/admin/me', () =>
      HttpResponse.json({ ...me, role: 'viewer', permissions: viewerPermissions }),
    ),
  );
  openApp('/Withdraw', { permissions: null });
  const row = await rowOf('Rahul Nair');
  await waitFor(() => expect(buttonsIn(row)).toEqual(['More']));
});

test('a masked number is shown at a click, by the server', async () => {
  const [claim] = claims;
  if (!claim) throw new Error('There is no claim');
  const hidden = { ...claim, accountNo: '••••6864' };
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([hidden])),
    http.get('*/api/claims/:id/details', () =>
      HttpResponse.json({ ...detailsOf(claim), claim: hidden }),
    ),
    http.post('*/api/claims/:id/reveal', () =>
      HttpResponse.json({ accountNo: '001234566864', mobile: '9805756092' }),
    ),
  );
  const { user } = openApp('/Withdraw', { permissions: viewerPermissions });
  await openRow(user, claim.user.username);
  await user.click(await screen.findByRole('button', { name: 'Show the whole account number' }));
  await screen.findByText('001234566864');
});
