import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ThingsTable, thingsOf } from '../../testing/thingsTable';

const press = (key: string) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, cancelable: true });
const focusedRow = () => document.activeElement?.getAttribute('data-row-id');
const table = () => screen.getByRole('table');

function scrollToRow(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

// The window of the tests shows 22 rows and a half.
const rowsInView = 22;

function openThings() {
  render(<ThingsTable rows={thingsOf(1000)} isSelectable />);
  press('j');
  press('j');
  expect(focusedRow()).toBe('r1');
}

test('j goes on from the first row in view where the current one is out of sight', () => {
  openThings();
  scrollToRow(500);
  press('j');
  expect(focusedRow()).toBe('r500');
  expect(table().scrollTop).toBe(500 * 40);
  press('j');
  expect(focusedRow()).toBe('r501');
});

test('k goes on from the last row in view where the current one is out of sight', () => {
  openThings();
  scrollToRow(500);
  press('k');
  expect(focusedRow()).toBe(`r${500 + rowsInView - 1}`);
  press('k');
  expect(focusedRow()).toBe(`r${500 + rowsInView - 2}`);
});

test('j and k go on from a current row that is partly in view', () => {
  openThings();
  table().scrollTop = 60;
  fireEvent.scroll(table());
  press('k');
  expect(focusedRow()).toBe('r0');
});

test('x shows a row that is out of sight before it chooses it', () => {
  openThings();
  const box = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: 'Select Name 1' });
  scrollToRow(500);
  press('x');
  expect(table().scrollTop).toBe(40);
  expect(focusedRow()).toBe('r1');
  expect(box()?.checked).toBe(false);
  press('x');
  expect(box()?.checked).toBe(true);
});

test('Enter shows a row that is out of sight before it opens it', async () => {
  openThings();
  scrollToRow(500);
  press('Enter');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(table().scrollTop).toBe(40);
  press('Enter');
  expect(await screen.findByRole('dialog', { name: 'Name 1' })).toBeTruthy();
});

test.each(['Enter', ' '])('%o does not press a button whose row is out of sight', (key) => {
  openThings();
  const button = screen.getByRole('button', { name: 'Act on r1' });
  button.focus();
  // What the browser would do on its own is not prevented.
  expect(press(key)).toBe(true);
  scrollToRow(500);
  expect(document.activeElement).toBe(button);
  expect(press(key)).toBe(false);
  expect(table().scrollTop).toBe(40);
  expect(focusedRow()).toBe('r1');
});
