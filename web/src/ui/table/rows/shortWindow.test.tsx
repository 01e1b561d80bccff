import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ThingsTable, thingsOf } from '../../../testing/thingsTable';
import { isOnPage } from './currentRow';

/* In a short window both the page and the table scroll, so a row may be in view of one but not of the other. */

type Edges = [top: number, bottom: number];
const places = { page: [48, 450] as Edges, row: [100, 140] as Edges, bar: [400, 450] as Edges };

beforeEach(() => {
  Object.assign(places, { page: [48, 450], row: [100, 140], bar: [400, 450] });
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    const what = this.matches('[data-row-id]') ? 'row' : this.matches('section') ? 'bar' : 'page';
    const [top, bottom] = places[what];
    return { top, bottom } as DOMRect;
  });
});

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const rowOf = (name: string) => screen.getByText(name).closest<HTMLElement>('[role="row"]');

test.each<[string, Edges, boolean]>([
  ['below the header', [48, 88], true],
  ['half under the header', [30, 70], false],
  ['at the end of the window', [410, 450], true],
  ['cut by the end of the window', [430, 470], false],
])('a row %s, %o, is on the page: %s', (_, edges, isThere) => {
  render(<ThingsTable rows={thingsOf(3)} />);
  places.row = edges;
  expect(isOnPage(rowOf('Name 1') as HTMLElement)).toBe(isThere);
});

test('a row covered by the selection bar is not on the page', async () => {
  render(<ThingsTable rows={thingsOf(3)} isSelectable />);
  fireEvent.click(screen.getAllByRole('checkbox')[1] as HTMLElement);
  await screen.findByRole('region', { name: 'Selection' });
  places.row = [390, 430];
  expect(isOnPage(rowOf('Name 1') as HTMLElement)).toBe(false);
  places.row = [360, 400];
  expect(isOnPage(rowOf('Name 1') as HTMLElement)).toBe(true);
});

test('a key scrolls to a row that is off the page, and acts on it only when it is visible', async () => {
  const shown = vi.fn();
  vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(shown);
  render(<ThingsTable rows={thingsOf(3)} />);
  places.row = [430, 470];
  press('j');
  expect(document.activeElement).toBe(rowOf('Name 0'));
  expect(shown).toHaveBeenCalledOnce();
  press('Enter');
  expect(shown).toHaveBeenCalledTimes(2);
  expect(screen.queryByRole('dialog')).toBeNull();
  places.row = [200, 240];
  press('Enter');
  expect(await screen.findByRole('dialog', { name: 'Name 0' })).toBeTruthy();
  expect(shown).toHaveBeenCalledTimes(2);
});
