import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { rowsKey } from './pages';
import { pagesFor, trimPages } from './pageWindow';

test('a view needs its own pages, the first page, and the page of the focused row', () => {
  expect(pagesFor(0, 50, -1)).toEqual([0]);
  expect(pagesFor(40, 51, -1)).toEqual([0, 1]);
  expect(pagesFor(5_010, 5_050, -1)).toEqual([0, 100]);
  expect(pagesFor(5_010, 5_050, 730, 24)).toEqual([0, 14, 99, 100, 101]);
});

test('only the 60 pages nearest to the view stay in the cache', () => {
  const client = new QueryClient();
  for (let page = 0; page < 100; page++) {
    client.setQueryData([...rowsKey('users', {}), page], { rows: [] });
  }
  trimPages(client, 'users', [0, 40]);
  const kept = client
    .getQueryCache()
    .findAll({ queryKey: rowsKey('users') })
    .map(({ queryKey }) => queryKey.at(-1));
  expect(kept).toHaveLength(60);
  expect(kept).toContain(0);
  expect(kept).toContain(40);
  expect(kept).not.toContain(99);
});
