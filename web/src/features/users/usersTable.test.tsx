import { screen } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, retryUntil, rowOf } from '../../testing/openApp';
import { refuseUntilRecovered, server } from '../../testing/server';

test('users are numbered from 1, and dates use the en-GB format', async () => {
  openApp('/reg');
  const row = await rowOf('Rahul Nair');
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'S.No',
    'Date',
    'User Name',
    'Mobile',
  ]);
  expect(row.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    '2',
    '03/02/2026',
    'Rahul Nair',
    '09805756092',
  ]);
});

test('a failed load says what failed, and Retry loads the list', async () => {
  const recover = refuseUntilRecovered('*/api/users', 'Not for you.');
  const { user } = openApp('/reg');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The users could not be loaded.');
  expect(alert.textContent).toContain('Not for you.');
  recover();
  expect(await retryUntil(user, () => screen.getByText('Rahul Nair'))).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an empty list says that nobody has registered yet', async () => {
  server.use(http.get('*/api/users', () => HttpResponse.json([])));
  openApp('/reg');
  expect(await screen.findByText(/Nobody has registered yet/)).toBeTruthy();
});
