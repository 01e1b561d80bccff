import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ThingsTable, thingsOf } from '../../../testing/thingsTable';

const press = (key: string) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, cancelable: true });
const focusedRow = () => document.activeElement?.getAttribute('data-row-id');
const table = () => screen.getByRole('table');

function scrollToRow(index: number) {
  table().scrollTop = index * 40;
  fireEvent.scroll(table());
}

// The test window shows 22 and a half rows.
const rowsInView = 22;

function openThings() {
  render(<ThingsTable rows={thingsOf(1000)} isSelectable />);
  press('j');
  press('j');
  expect(focusedRow()).toBe('r1');
}

test('j moves to the first row in view if the current row is out of view', () => {
  openThings();
  scrollToRow(500);
  press('j');
  expect(focusedRow()).toBe('r500');
  expect(table().scrollTop).toBe(500 * 40);
  press('j');
  expect(focusedRow()).toBe('r501');
});

test('k moves to the last row in view if the current row is out of view', () => {
  openThings();
  scrollToRow(500);
  press('k');
  expect(focusedRow()).toBe(`r${500 + rowsInView - 1}`);
  press('k');
  expect(focusedRow()).toBe(`r${500 + rowsInView - 2}`);
});

test('j and k move from the current row if it is partly in view', () => {
  openThings();
  table().scrollTop = 60;
  fireEvent.scroll(table());
  press('k');
  expect(focusedRow()).toBe('r0');
});

test('x scrolls to a row that is out of view before selecting it', () => {
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

test('Enter scrolls to a row that is out of view before opening it', async () => {
  openThings();
  scrollToRow(500);
  press('Enter');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(table().scrollTop).toBe(40);
  press('Enter');
  expect(await screen.findByRole('dialog', { name: 'Name 1' })).toBeTruthy();
});

test.each(['Enter', ' '])('%o does not press a button in a row that is out of view', (key) => {
  openThings();
  const button = screen.getByRole('button', { name: 'Act on r1' });
  button.focus();
  // The browser's default action is not prevented.
  expect(press(key)).toBe(true);
  scrollToRow(500);
  expect(document.activeElement).toBe(button);
  expect(press(key)).toBe(false);
  expect(table().scrollTop).toBe(40);
  expect(focusedRow()).toBe('r1');
});
