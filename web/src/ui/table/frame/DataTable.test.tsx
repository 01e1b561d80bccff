import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ThingsTable, thingsOf } from '../../../testing/thingsTable';

test('before the first response the table is busy and shows placeholders of the row height', () => {
  const { container } = render(<ThingsTable />);
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
  expect(container.querySelector<HTMLElement>('[aria-hidden] > div')?.style.height).toBe('40px');
  expect(screen.getByText('Loading things…').getAttribute('role')).toBe('status');
});

test('of 100,000 rows only those near the view are rendered, and the count is shown', () => {
  render(<ThingsTable rows={thingsOf(100_000)} />);
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('100001');
  expect(screen.getByText('1,00,000 things')).toBeTruthy();
});

test('scrolling renders the rows that come into view', () => {
  render(<ThingsTable rows={thingsOf(1000)} />);
  const table = screen.getByRole('table');
  table.scrollTop = 500 * 40;
  fireEvent.scroll(table);
  expect(screen.getByText('Name 500')).toBeTruthy();
  expect(screen.queryByText('Name 0')).toBeNull();
});

test('the last of two million rows can be reached, although they exceed the maximum height of an element', () => {
  const count = 2_000_000;
  const rowAt = (index: number) => ({ _id: `r${index}`, name: `Name ${index}` });
  render(<ThingsTable list={{ count, rowAt }} />);
  const table = screen.getByRole('table');
  const height = Number.parseInt(
    (table.lastElementChild as HTMLElement).style.height.replace('px', ''),
    10,
  );
  expect(height).toBeLessThan(10_000_000);
  table.scrollTop = height - window.innerHeight;
  fireEvent.scroll(table);
  expect(screen.getByText('Name 1999999')).toBeTruthy();
  expect(screen.getAllByRole('row').length).toBeLessThan(60);
});

test('the focused row stays rendered when it scrolls out of view', () => {
  render(<ThingsTable rows={thingsOf(1000)} />);
  const button = screen.getByRole('button', { name: 'Act on r2' });
  button.focus();
  const table = screen.getByRole('table');
  table.scrollTop = 500 * 40;
  fireEvent.scroll(table);
  expect(screen.queryByText('Name 1')).toBeNull();
  expect(document.activeElement).toBe(button);
  expect(button.isConnected).toBe(true);
});

test('an empty list shows its columns and the empty message', () => {
  render(<ThingsTable rows={[]} />);
  expect(screen.getByText('Nothing here yet.')).toBeTruthy();
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Name',
    'Action',
  ]);
});

test('an error shows what failed, with the message of the server, and offers Retry', () => {
  const reload = vi.fn();
  render(<ThingsTable list={{ failure: 'The database is away.', reload }} />);
  expect(screen.getByRole('alert').textContent).toContain('The things could not be loaded.');
  expect(screen.getByRole('alert').textContent).toContain('The database is away.');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(reload).toHaveBeenCalledOnce();
});

test('a server error about the q parameter is shown as an error about the search', () => {
  render(<ThingsTable list={{ failure: 'q contains an invisible character.' }} />);
  expect(screen.getByText('The search contains an invisible character.')).toBeTruthy();
});

test('when a refresh fails, the old rows stay and the error is shown above them', () => {
  render(<ThingsTable rows={thingsOf(2)} list={{ failure: 'The database is away.' }} />);
  expect(screen.getByText('Name 1')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toContain('could not be refreshed');
});

test('the title of a cell contains its full text', () => {
  render(<ThingsTable rows={[{ _id: 'r0', name: 'A very long name' }]} />);
  expect(screen.getByText('A very long name').title).toBe('A very long name');
});

test('rows of the previous search are visible but inert', () => {
  render(<ThingsTable rows={thingsOf(3)} list={{ isOutdated: true }} />);
  expect(screen.getByText('Name 1').closest('[inert]')).toBeTruthy();
  expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true');
});
