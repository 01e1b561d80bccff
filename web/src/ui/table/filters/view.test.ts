import { expect, test } from 'vitest';
import {
  formatView,
  nextSort,
  parseView,
  queryOf,
  type View,
  type ViewSchema,
  withoutFilters,
} from './view';

const schema: ViewSchema = {
  filters: [
    {
      name: 'status',
      kind: 'choice',
      label: 'Status',
      param: 'status',
      values: ['Pending', 'Paid'],
    },
    { name: 'type', kind: 'choice', label: 'Claim Type', param: 'claimType' },
    { name: 'odd', kind: 'flag', label: 'Only odd ones', param: 'odd', values: ['only'] },
    { name: 'from', kind: 'day', label: 'Requested from', param: 'from' },
    { name: 'to', kind: 'day', label: 'Requested to', param: 'to' },
    { name: 'min', kind: 'amount', label: 'Amount from', param: 'minAmount' },
  ],
  sorts: ['createdAt', 'amount'],
  defaultSort: '-createdAt',
  columns: ['date', 'name', 'amount'],
};

const everything =
  'q=50%25+off+%26+more&status=Paid&type=Daily&odd=only&from=2026-01-31&to=2026-02-01&min=12.5&sort=-amount&hide=date%2Camount';

test('a link reproduces the view: parsing and formatting it gives the same link', () => {
  expect(formatView(parseView(everything, schema), schema)).toBe(everything);
  expect(parseView(everything, schema)).toEqual({
    q: '50% off & more',
    sort: '-amount',
    filters: {
      status: 'Paid',
      type: 'Daily',
      odd: 'only',
      from: '2026-01-31',
      to: '2026-02-01',
      min: '12.5',
    },
    hidden: ['date', 'amount'],
  });
});

test.each([
  'status=Lost',
  'odd=yes',
  'from=2026-02-30',
  'from=yesterday',
  'min=-5',
  'min=1e9',
  'min=1.234',
  'sort=password',
  'sort=--amount',
  'hide=nothing',
  'hide=date,name,amount',
  'unknown=1',
  'type=',
])('the invalid value %s is ignored', (search) => {
  expect(formatView(parseView(search, schema), schema)).toBe('');
});

test('default values are not written to the URL', () => {
  expect(formatView(parseView('sort=-createdAt&q=', schema), schema)).toBe('');
});

test('the view is converted to server parameters, with days as they are', () => {
  expect(queryOf(parseView(everything, schema), schema)).toEqual({
    q: '50% off & more',
    status: 'Paid',
    claimType: 'Daily',
    odd: 'only',
    from: '2026-01-31',
    to: '2026-02-01',
    minAmount: '12.5',
    sort: '-amount',
  });
});

test('hidden columns and spaces around the search do not affect the server query', () => {
  expect(queryOf(parseView('q=+rahul+&hide=date', schema), schema)).toEqual({ q: 'rahul' });
});

test('a column is sorted ascending, then descending, then in the default order', () => {
  expect(nextSort('', 'amount', '-createdAt')).toBe('amount');
  expect(nextSort('amount', 'amount', '-createdAt')).toBe('-amount');
  expect(nextSort('-amount', 'amount', '-createdAt')).toBe('');
});

test('the column of the default order alternates between ascending and descending', () => {
  expect(nextSort('', 'createdAt', '-createdAt')).toBe('createdAt');
  expect(nextSort('createdAt', 'createdAt', '-createdAt')).toBe('');
});

test.each([
  [{ q: 'a', filters: { status: 'Paid', min: '5' } }, { status: 'Paid' }],
  [{ q: 'a', filters: { status: 'Paid' } }, { status: 'Paid' }],
  [{ q: '', filters: { status: 'Paid' } }, {}],
  [{ q: ' ', filters: { min: '5' } }, {}],
])('clearing %j leaves %j', (part, filters) => {
  const view: View = { sort: '', hidden: [], ...part };
  expect(withoutFilters(view, 'status')).toEqual({ q: '', filters });
});

test('a filter that needs another one is dropped without it', () => {
  const schema: ViewSchema = {
    filters: [
      { name: 'reached', kind: 'choice', label: 'Moved to', param: 'reached' },
      { name: 'by', kind: 'choice', label: 'Moved by', param: 'reachedBy', needs: 'reached' },
    ],
    sorts: [],
    defaultSort: '-createdAt',
    columns: [],
  };
  expect(parseView('?reached=Paid&by=asha', schema).filters).toEqual({
    reached: 'Paid',
    by: 'asha',
  });
  expect(parseView('?by=asha', schema).filters).toEqual({});
});
