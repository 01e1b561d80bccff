import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { openApp } from '../../../testing/openApp';
import { server } from '../../../testing/server';

async function openFirstOf50() {
  serverMoves(Array.from({ length: 50 }, (_, index) => claimOf(index + 1)));
  server.use(http.put('*/api/claims/:id/status', () => HttpResponse.error()));
  const app = openApp('/Withdraw');
  await screen.findByText('Client 1');
  return { ...app, table: screen.getByRole('table') };
}

function scrollAway(table: HTMLElement) {
  table.scrollTop = 30 * 40;
  fireEvent.scroll(table);
}

test('without a connection the claim is scrolled to, if a key has moved it', async () => {
  const { user, table } = await openFirstOf50();
  await user.keyboard('ja');
  scrollAway(table);
  await screen.findByText(/The claim of Client 1 .*no answer came back/);
  await waitFor(() => expect(table.scrollTop).toBe(0));
});

test('after a click nothing scrolls under the pointer, and the notice leads to the row', async () => {
  const { user, table } = await openFirstOf50();
  await user.click(screen.getByRole('button', { name: /^Accept, Client 1,/ }));
  scrollAway(table);
  await user.click(await screen.findByRole('button', { name: 'Show row' }));
  expect(table.scrollTop).toBe(0);
  expect(document.activeElement?.getAttribute('data-row-id')).toBe('c1');
});
