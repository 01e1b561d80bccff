import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { claimOf, serverMoves } from '../../testing/claimServer';
import { openDesk, openedConfirm } from '../../testing/desk';

beforeEach(() => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('640') }) as MediaQueryList,
  );
});

/** The panel of the first claim, two steps from where the admin began. */
async function openPanel() {
  serverMoves([claimOf(1, 'Accepted'), claimOf(2, 'Accepted')]);
  const desk = openDesk('/Data');
  act(() => window.history.pushState(null, '', '/Withdraw?status=Accepted'));
  await desk.user.click(await screen.findByRole('button', { name: 'Client 1' }));
  await screen.findByRole('dialog', { name: 'Client 1' });
  return desk;
}

const goBack = () => act(async () => window.history.back());
const panel = () => screen.queryByRole('dialog', { name: /^Client/ });
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 50)));

test('Back closes the panel first, and leaves the list as it is; then it leaves the list', async () => {
  await openPanel();
  await goBack();
  await waitFor(() => expect(panel()).toBeNull());
  expect(window.location.search).toBe('?status=Accepted');
  expect(screen.getByText('Client 1')).toBeTruthy();
  await goBack();
  await waitFor(() => expect(window.location.pathname).toBe('/Data'));
});

test('a panel that is closed by its button leaves no step behind', async () => {
  const { user } = await openPanel();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await settle();
  await user.click(screen.getByRole('button', { name: 'Client 2' }));
  await screen.findByRole('dialog', { name: 'Client 2' });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await settle();
  await goBack();
  await waitFor(() => expect(window.location.pathname).toBe('/Data'));
});

test('a panel that is opened before the step of the last one is gone closes by Back too', async () => {
  const { user } = await openPanel();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Client 2' }));
  await screen.findByRole('dialog', { name: 'Client 2' });
  await settle();
  expect(panel()).toBeTruthy();
  await goBack();
  await waitFor(() => expect(panel()).toBeNull());
  expect(window.location.pathname).toBe('/Withdraw');
});

test('a confirm above the panel goes first, and the panel after it', async () => {
  const { user } = await openPanel();
  const pay = within(panel() as HTMLElement).getByRole('button', { name: 'Paid Success' });
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

test('from the client’s page Back leads to the list, not to a step without a panel', async () => {
  const { user } = await openPanel();
  const steps = window.history.length;
  await user.click(screen.getByRole('link', { name: 'Client 1' }));
  await waitFor(() => expect(window.location.pathname).toBe('/client/u1'));
  expect(window.history.length).toBe(steps);
});
