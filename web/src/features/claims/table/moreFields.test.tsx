import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { claimOf } from '../../../testing/claimServer';
import { openApp } from '../../../testing/openApp';
import { server } from '../../../testing/server';

const table = () => screen.getByRole('table');

function scrollToRow(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

/** A long list, of which a row has a QR name only if the request asks for it. Returns what is asked for. */
function serverHasClaims(count: number) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      asked.push(query.get('with'));
      const first = Number(query.get('cursor') ?? 0) + Number(query.get('skip') ?? 0) + 1;
      const last = Math.min(count, first + 49);
      const rows = Array.from({ length: last - first + 1 }, (_, index) => ({
        ...claimOf(first + index),
        ...(query.get('with') === 'more' && { qrName: `Code of ${first + index}` }),
      }));
      const link = `<http://desk.test/api/claims/all?cursor=${last}>; rel="next"`;
      const headers = { 'X-Total-Count': String(count), ...(last < count && { Link: link }) };
      return HttpResponse.json(rows, { headers });
    }),
  );
  return asked;
}

test('rows that were read without a column are read again when it is chosen, also those out of view', async () => {
  serverHasClaims(1000);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  scrollToRow(220);
  await screen.findByText('Client 221');
  scrollToRow(0);
  await screen.findByText('Client 1');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'QR' }));
  expect(await screen.findByText('Code of 1')).toBeTruthy();
  scrollToRow(220);
  expect(await screen.findByText('Client 221')).toBeTruthy();
  expect(await screen.findByText('Code of 221')).toBeTruthy();
});

test('a column that is chosen further down leaves the table there', async () => {
  const asked = serverHasClaims(1000);
  const { user } = openApp('/Withdraw');
  await screen.findByText('Client 1');
  scrollToRow(220);
  await screen.findByText('Client 221');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'QR' }));
  expect(await screen.findByText('Code of 221')).toBeTruthy();
  expect(table().scrollTop).toBe(220 * 40);
  const before = asked.length;
  // A column that every row has anyway asks for nothing.
  await user.click(screen.getByRole('checkbox', { name: 'Claim No.' }));
  await waitFor(() => expect(screen.getByText('C-10221')).toBeTruthy());
  expect(asked.length).toBe(before);
  expect(new Set(asked.slice(-2))).toEqual(new Set(['more']));
});
