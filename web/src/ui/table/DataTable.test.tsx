import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { CardLayout, Column, List } from './columns';
import { DataTable } from './DataTable';

interface Row {
  id: string;
  name: string;
}

const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', width: '1fr', cell: (row) => row.name, card: { area: 'name' } },
  {
    key: 'act',
    header: 'Action',
    width: '1fr',
    cell: (row) => <button type="button">{`Act on ${row.id}`}</button>,
    card: { area: 'act' },
  },
];
const cards: CardLayout[] = [];
const idOf = (row: Row) => row.id;
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `r${index}`, name: `Name ${index}` }));

function tableOf(part: Partial<List<Row>>) {
  const list = { rows: undefined, failure: undefined, isLoading: false, reload: vi.fn(), ...part };
  return (
    <DataTable
      label="Things"
      noun="thing"
      empty={<p>Nothing here yet.</p>}
      {...{ columns, cards, list, idOf }}
    />
  );
}

test('while the first answer is awaited the table is busy and shows placeholders of the row height', () => {
  const { container } = render(tableOf({ isLoading: true }));
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(container.querySelector<HTMLElement>('[aria-hidden] > div')?.style.height).toBe('40px');
  expect(screen.getByRole('status').textContent).toBe('Loading things…');
});

test('of 100,000 rows only those near the view are drawn, and the count is told', () => {
  render(tableOf({ rows: rowsOf(100_000) }));
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('100001');
  expect(screen.getByText('1,00,000 things')).toBeTruthy();
});

test('scrolling draws the rows that come into view', () => {
  render(tableOf({ rows: rowsOf(1000) }));
  const table = screen.getByRole('table');
  table.scrollTop = 500 * 40;
  fireEvent.scroll(table);
  expect(screen.getByText('Name 500')).toBeTruthy();
  expect(screen.queryByText('Name 0')).toBeNull();
});

test('the row with the focus stays when it scrolls out of view', () => {
  render(tableOf({ rows: rowsOf(1000) }));
  const button = screen.getByRole('button', { name: 'Act on r2' });
  button.focus();
  const table = screen.getByRole('table');
  table.scrollTop = 500 * 40;
  fireEvent.scroll(table);
  expect(screen.queryByText('Name 1')).toBeNull();
  expect(document.activeElement).toBe(button);
  expect(button.isConnected).toBe(true);
});

test('an empty list keeps its columns and says what to do next', () => {
  render(tableOf({ rows: [] }));
  expect(screen.getByText('Nothing here yet.')).toBeTruthy();
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Name',
    'Action',
  ]);
});

test('a failure says what failed, in the words of the server, and offers Retry', () => {
  const reload = vi.fn();
  render(tableOf({ failure: 'The database is away.', reload }));
  expect(screen.getByRole('alert').textContent).toContain('The things could not be loaded.');
  expect(screen.getByRole('alert').textContent).toContain('The database is away.');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('when a refresh fails the old rows stay and the failure is told above them', () => {
  render(tableOf({ rows: rowsOf(2), failure: 'The database is away.' }));
  expect(screen.getByText('Name 1')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('could not be refreshed');
});

test('long text carries itself whole in its title', () => {
  render(tableOf({ rows: [{ id: 'r0', name: 'A very long name' }] }));
  expect(screen.getByText('A very long name').title).toBe('A very long name');
});
