import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp, rowOf } from '../../../testing/openApp';
import { detailsOf } from '../../../testing/sampleData';
import { server } from '../../../testing/server';

const itemsOf = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('menuitem')
    .map((item) => item.firstChild?.textContent);

test.each([
  ['Pending', ['Put on hold…', 'Reject…']],
  ['Accepted', ['Undo Accept', 'Put on hold…', 'Reject…']],
  ['Paid', ['Mark as returned…']],
  ['On hold', ['Release…', 'Reject…']],
  ['Rejected', ['Undo Reject']],
  ['Returned', ['Put on hold…', 'Reject…']],
] as const)('the menu of a claim that is %s offers %j', async (status, moves) => {
  serverMoves([claimOf(1, status)]);
  const { user } = openApp('/Withdraw');
  const more = (await rowOf('Client 1')).getByRole('button', { name: /^More/ });
  expect(more.getAttribute('aria-haspopup')).toBe('menu');
  await user.click(more);
  const menu = await screen.findByRole('menu', { name: 'Claim of Client 1' });
  expect(itemsOf(menu)).toEqual([...moves, 'Details', 'Copy bank details']);
  expect(more.getAttribute('aria-expanded')).toBe('true');
});

test('m opens the menu, the arrows move through it, Escape closes it and the focus returns to the row', async () => {
  serverMoves([claimOf(1)]);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jm');
  await screen.findByRole('menu');
  expect(document.activeElement?.textContent).toContain('Put on hold');
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('Reject');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('c1');
});

test('a move that is refused to this admin says why and does nothing', async () => {
  const state = serverMoves([claimOf(1, 'Accepted')]);
  server.use(
    http.get('*/api/claims/:id/details', () =>
      HttpResponse.json({
        ...detailsOf(claimOf(1, 'Accepted')),
        blocked: [{ status: 'Pending', sentence: 'Only ravi can undo this Accept.' }],
      }),
    ),
  );
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  await user.keyboard('jm');
  await screen.findByText('Only ravi can undo this Accept.');
  const item = screen.getByRole('menuitem', { name: /Undo Accept/ });
  expect(item.getAttribute('aria-disabled')).toBe('true');
  await user.click(item);
  expect(state.puts).toEqual([]);
});

test('Undo Accept takes effect at once; the other moves ask for a reason', async () => {
  const state = serverMoves([claimOf(1, 'Accepted'), claimOf(2, 'Paid')]);
  const { user } = openApp('/Withdraw');
  await user.click((await rowOf('Client 1')).getByRole('button', { name: /^More/ }));
  await user.click(await screen.findByRole('menuitem', { name: /Undo Accept/ }));
  await waitFor(() => expect(state.claims[0]?.status).toBe('Pending'));
  await user.click((await rowOf('Client 2')).getByRole('button', { name: /^More/ }));
  await user.click(await screen.findByRole('menuitem', { name: /Mark as returned/ }));
  const name = 'Did the bank send this payment back?';
  const dialog = await screen.findByRole('dialog', { name });
  await user.type(within(dialog).getByLabelText('Reason'), 'Account closed');
  await user.click(within(dialog).getByRole('button', { name: 'Mark as returned' }));
  await waitFor(() => expect(state.claims[1]?.status).toBe('Returned'));
});
