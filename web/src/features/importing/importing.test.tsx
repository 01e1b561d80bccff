import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { importId, planned, report, serverHas } from '../../testing/importServer';
import { heading, openApp } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';
import type { Import } from './imports';

const part = 1024 * 1024;
const address = `/Settings/Import?import=${importId}`;

afterEach(() => vi.restoreAllMocks());

async function openImport(path = address) {
  const opened = openApp(path);
  await heading('Import');
  return opened;
}

const picker = () => screen.findByLabelText<HTMLInputElement>('Files to import');
const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('without imports the screen says how to begin', async () => {
  await openImport('/Settings/Import');
  expect(await screen.findByText('No imports yet')).toBeTruthy();
  expect(screen.getByText(/before you have seen the plan/)).toBeTruthy();
});

test('the latest imports are listed with their state and rows, and can be opened', async () => {
  serverHas(planned);
  const { user } = await openImport('/Settings/Import');
  const [, row] = await screen.findAllByRole('row');
  expect(row?.textContent).toContain('people.csv');
  expect(row?.textContent).toContain('47 KB');
  expect(row?.textContent).toContain('Not imported yet');
  expect(row?.textContent).toContain('1,204 rows, 3 bad');
  await user.click(screen.getByRole('link', { name: /^Open people.csv/ }));
  expect(await button('Import 1,200 rows')).toBeTruthy();
  expect(window.location.search).toBe(`?import=${importId}`);
});

test('several files are sent part by part, then checked', async () => {
  const state = serverHas({ ...planned, state: 'uploading', parts: 0, partsInAll: 3 });
  const { user } = await openImport('/Settings/Import');
  const large = new File([new Uint8Array(part + 5)], 'users.csv');
  await user.upload(await picker(), [large, new File(['id'], 'claims.csv')]);
  await waitFor(() => expect(state.calls).toHaveLength(5));
  const at = `PUT /parts?import=${importId}&number=`;
  const files = [
    { name: 'users.csv', size: part + 5 },
    { name: 'claims.csv', size: 2 },
  ];
  expect(state.calls).toEqual([
    ['POST ', { files }],
    [`${at}0`, part],
    [`${at}1`, 5],
    [`${at}2`, 2],
    [`POST /${importId}/plan`, {}],
  ]);
  expect(await screen.findByText('Checking every row')).toBeTruthy();
});

test('dropped files are taken too', async () => {
  const state = serverHas({ ...planned, state: 'uploading' });
  await openImport('/Settings/Import');
  const files = [new File(['id'], 'users.csv')];
  fireEvent.drop(await picker(), { dataTransfer: { files } });
  await waitFor(() => expect(state.calls[0]?.[0]).toBe('POST '));
});

test.each([
  [[new File([], 'users.csv')], 'users.csv is empty.'],
  [[new File(['1'], 'a.csv'), new File(['2'], 'A.csv')], /have the same name/],
  [[new File([new Uint8Array(64 * part + 1)], 'a.csv')], /exceed 64 MB/],
])('files that cannot be imported are refused before anything is sent', async (files, reason) => {
  const state = serverHas(planned);
  const { user } = await openImport('/Settings/Import');
  await user.upload(await picker(), files);
  expect(await screen.findByText(reason)).toBeTruthy();
  expect(state.calls).toEqual([]);
});

test('an upload that stops says why and goes on where it stopped', async () => {
  const state = serverHas({ ...planned, state: 'uploading', parts: 0, partsInAll: 1 });
  const why = 'The disk is full.';
  server.use(
    http.put('*/api/imports/parts', () => refusal(409, 'full', why), {
      once: true,
    }),
  );
  const { user } = await openImport('/Settings/Import');
  await user.upload(await picker(), new File(['id'], 'users.csv'));
  expect(await screen.findByText(why)).toBeTruthy();
  await user.click(await button('Resume'));
  await waitFor(() => expect(state.calls.at(-1)?.[0]).toBe(`POST /${importId}/plan`));
});

test('a check can be cancelled, and says who did it', async () => {
  const state = serverHas({ ...planned, state: 'planning', report: null });
  const { user } = await openImport();
  server.use(
    http.post(`*/api/imports/${importId}/cancel`, () => {
      state.found = { ...state.found, state: 'failed', failure: 'asha cancelled the check.' };
      return HttpResponse.json(state.found);
    }),
  );
  await user.click(await button('Cancel the check'));
  expect(await screen.findByText('asha cancelled the check.')).toBeTruthy();
  expect(await button('Check again')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel the check' })).toBeNull();
});

test('a check that stopped shows the first bad rows and the map, and no import', async () => {
  const stopped = { ...report, outcomes: {}, totals: [] };
  const failure = 'The check stopped after 50,000 bad rows, because most rows are bad.';
  serverHas({ ...planned, state: 'failed', good: 0, bad: 0, failure, report: stopped });
  await openImport();
  expect(await screen.findByText(failure)).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'The first bad rows' })).toBeTruthy();
  expect(screen.getByText('mobile is not an Indian mobile number.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('complete files are checked once, however often the button is pressed', async () => {
  const state = serverHas({ ...planned, state: 'uploading', report: null });
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => {
    answer = done;
  });
  let asked = 0;
  server.use(
    http.post(`*/api/imports/${importId}/plan`, async () => {
      asked += 1;
      await isAnswered;
      return HttpResponse.json({ ...state.found, state: 'planning' }, { status: 202 });
    }),
  );
  const { user } = await openImport();
  await user.dblClick(await button('Check the files'));
  expect((await button('Check the files')).getAttribute('aria-busy')).toBe('true');
  state.found = { ...state.found, state: 'planning' };
  answer();
  await screen.findByText('Checking every row');
  expect(asked).toBe(1);
});

test('the plan shows outcomes, bad rows with their reasons, and totals', async () => {
  const state = serverHas(planned);
  const { user } = await openImport();
  const plan = within(await screen.findByRole('table', { name: 'Plan' }));
  expect(plan.getByRole('row', { name: /^Users/ }).textContent).toBe('Users1,200412');
  const bad = within(screen.getByRole('region', { name: '3 bad rows' }));
  expect(bad.getByRole('listitem').textContent).toContain('line 3');
  expect(bad.getByRole('listitem').textContent).toContain('mobile is not an Indian mobile number.');
  expect(bad.getByText('12')).toBeTruthy();
  await user.click(bad.getByRole('button', { name: 'Download all as CSV' }));
  await waitFor(() => expect(state.saved[0]?.name).toBe(`import-errors-${importId}.csv`));
  expect(await state.saved[0]?.content.text()).toBe('File,Reason\r\n');
  expect(screen.getByText('Totals by status and month')).toBeTruthy();
});

test('the import starts as planned, and says how fast it is and how long it takes', async () => {
  const state = serverHas(planned);
  const { user } = await openImport();
  await user.click(await button('Import 1,200 rows'));
  const progress = { rows: 12_000, share: 40, rowsPerSecond: 3_000, secondsLeft: 6 };
  state.found = { ...state.found, progress };
  expect(await screen.findByText('12,000 rows, 3,000 a second, about 6 seconds left')).toBeTruthy();
  expect(screen.getByRole('progressbar', { name: 'Importing' })).toBeTruthy();
  expect(state.calls).toEqual([
    [`POST /${importId}/run`, { map: planned.map, stopAtErrors: false }],
  ]);
  state.found = { ...planned, state: 'done' };
  expect(await screen.findByText('Source and desk agree, except for the 3 bad rows.')).toBeTruthy();
  expect(screen.getByRole('table', { name: 'Result' })).toBeTruthy();
});

test('with bad rows nothing is imported if all or nothing is wanted', async () => {
  const state = serverHas(planned);
  const { user } = await openImport();
  await user.click(await screen.findByLabelText('Import nothing if a row is bad'));
  expect((await button('Import 1,200 rows')).matches(':disabled')).toBe(true);
  expect(screen.getByText(/^Some rows have errors\./)).toBeTruthy();
  expect(state.calls).toEqual([]);
});

test('without bad rows the server makes sure of it again', async () => {
  const outcomes = { users: { created: 7 } };
  const good: Import = { ...planned, good: 7, bad: 0, report: { ...report, outcomes } };
  const state = serverHas({ ...good, hasBadRows: false });
  const { user } = await openImport();
  await user.click(await screen.findByLabelText('Import nothing if a row is bad'));
  await user.click(await button('Import 7 rows'));
  await waitFor(() =>
    expect(state.calls[0]?.[1]).toEqual({ map: planned.map, stopAtErrors: true }),
  );
});

test('totals that differ are shown with the difference', async () => {
  const [all] = report.totals;
  if (!all) throw new Error('no totals');
  const missing = { rows: 2, sums: { Amount: 300.5 } };
  const totals = [{ ...all, noun: 'claims' as const, missing }];
  serverHas({ ...planned, state: 'done', report: { ...report, totals } });
  await openImport();
  expect(await screen.findByText('Source and desk differ.')).toBeTruthy();
  expect(screen.getByText(/Claims: .* is 2 rows, Amount ₹300\.50\./)).toBeTruthy();
});

test('an interrupted import can be run again', async () => {
  const state = serverHas({ ...planned, state: 'interrupted' });
  const { user } = await openImport();
  expect(await screen.findByText('The import was interrupted.')).toBeTruthy();
  await user.click(await button('Import again'));
  await waitFor(() => expect(state.calls[0]?.[0]).toBe(`POST /${importId}/run`));
});

test('a file of an unknown kind is explained', async () => {
  const failure = 'picture.png is of an unknown kind.';
  serverHas({ ...planned, state: 'failed', failure, good: 0, bad: 0, report: null });
  await openImport();
  expect(await screen.findByText(failure)).toBeTruthy();
});

test('an import that is under way elsewhere is named as the reason', async () => {
  serverHas(planned);
  const sentence = 'An import is under way. Wait until it has ended.';
  server.use(
    http.post(`*/api/imports/${importId}/run`, () => refusal(409, 'import_under_way', sentence)),
  );
  const { user } = await openImport();
  await user.click(await button('Import 1,200 rows'));
  expect(await screen.findByText(sentence)).toBeTruthy();
});

test('an upload that this page does not send is said to be another’s or interrupted', async () => {
  serverHas({ ...planned, state: 'uploading', parts: 1, partsInAll: 3, report: null });
  await openImport();
  expect(await screen.findByText('This page is not uploading these files.')).toBeTruthy();
});

test('an import that cannot be loaded says so', async () => {
  server.use(
    http.get(`*/api/imports/${importId}`, () =>
      refusal(404, 'import_not_found', 'There is no such import.'),
    ),
    http.get('*/api/imports', () => HttpResponse.json([])),
  );
  await openImport();
  expect(await screen.findByText('There is no such import.')).toBeTruthy();
});
