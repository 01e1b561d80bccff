import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, openedConfirm, openRow } from '../../../testing/openApp';

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('640') }) as MediaQueryList,
  );
});

/** Opens the panel of the first claim, two history entries after the start. */
async function openPanel() {
  serverMoves([claimOf(1, 'Accepted'), claimOf(2, 'Accepted')]);
  const app = openApp('/Data');
  act(() => window.history.pushState(null, '', '/Withdraw?status=Accepted'));
  await openRow(app.user, 'Client 1');
  await screen.findByRole('dialog', { name: 'Client 1' });
  return app;
}

const goBack = () => act(async () => window.history.back());
const panel = () => screen.queryByRole('dialog', { name: /^Client/ });
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

test('Back closes the panel and keeps the list; a second Back leaves the list', async () => {
  await openPanel();
  await goBack();
  await waitFor(() => expect(panel()).toBeNull());
  expect(window.location.search).toBe('?status=Accepted');
  expect(screen.getByText('Client 1')).toBeTruthy();
  await goBack();
  await waitFor(() => expect(window.location.pathname).toBe('/Data'));
});

test('closing the panel with its button leaves no history entry behind', async () => {
  const { user } = await openPanel();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await settle();
  await openRow(user, 'Client 2');
  await screen.findByRole('dialog', { name: 'Client 2' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await settle();
  await goBack();
  await waitFor(() => expect(window.location.pathname).toBe('/Data'));
});

test('a panel opened before the history entry of the last one is removed also closes with Back', async () => {
  const { user } = await openPanel();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await openRow(user, 'Client 2');
  await screen.findByRole('dialog', { name: 'Client 2' });
  await settle();
  expect(panel()).toBeTruthy();
  await goBack();
  await waitFor(() => expect(panel()).toBeNull());
  expect(window.location.pathname).toBe('/Withdraw');
});

test('Back closes a confirmation above the panel first, and then the panel', async () => {
  const { user } = await openPanel();
  const pay = within(panel() as HTMLElement).getByRole('button', { name: /^Paid Success/ });
  await user.click(pay);
  await openedConfirm();
  await goBack();
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(panel()).toBeTruthy();
  await settle();
  await goBack();
  await waitFor(() => expect(panel()).toBeNull());
  expect(window.location.pathname).toBe('/Withdraw');
});

test('Back from the client page leads to the list, not to a history entry without a panel', async () => {
  const { user } = await openPanel();
  const steps = window.history.length;
  await user.click(within(panel() as HTMLElement).getByRole('link', { name: 'Client 1' }));
  await waitFor(() => expect(window.location.pathname).toBe('/client/u1'));
  expect(window.history.length).toBe(steps);
});
