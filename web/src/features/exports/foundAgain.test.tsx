import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { startSession } from '../../api/session';
import { exportRequest, newExport, serverExports } from '../../testing/exportServer';
import { refusal, server } from '../../testing/server';
import { ExportProgress } from './ExportProgress';
import { startExport } from './exportActions';

let desk: ReturnType<typeof serverExports>;

beforeEach(() => {
  desk = serverExports();
  startSession('stored');
});

function load() {
  render(<ExportProgress />);
  return userEvent.setup();
}
const shown = (text: string | RegExp) => screen.findByText(text, { ignore: '[role=status] *' });
const lines = () => screen.queryAllByRole('button', { name: /^Cancel: / });

test('after a reload what is under way is there again, with its progress and Cancel', async () => {
  desk.underWay = [{ ...newExport, state: 'running', rowsWritten: 4000 }];
  const user = load();
  expect(await shown('4,000 of 12,345 rows · 32%')).toBeTruthy();
  expect(await shown('4,321 of 12,345 rows · 35%')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel: Exporting claims.csv' }));
  expect(await shown('Cancelled claims.csv')).toBeTruthy();
  expect(desk.cancelled).toEqual(['e1']);
  expect([desk.asked, desk.downloads]).toEqual([[], []]);
});

test('of a file that another page asked for it is not said that it is here', async () => {
  desk.underWay = [newExport];
  desk.end('done', 12345);
  load();
  expect(await shown('12,345 claims, in the downloads of the browser that asked.')).toBeTruthy();
});

test('one found again that failed can be asked for as it was', async () => {
  desk.underWay = [newExport];
  desk.end('failed');
  const user = load();
  await user.click(await screen.findByRole('button', { name: 'Export again' }));
  await waitFor(() => expect(desk.asked).toEqual([exportRequest]));
});

test('with too many under way those in the way are shown, each once', async () => {
  load();
  await act(() => startExport(exportRequest));
  await shown(/4,321 of/);
  desk.underWay = [newExport, { ...newExport, _id: 'e2', fileName: 'users.csv' }];
  server.use(
    http.post('*/api/exports', () => refusal(409, 'too_many_exports', 'Two are under way.')),
  );
  await act(() => startExport(exportRequest));
  expect(await shown('Two are under way.')).toBeTruthy();
  expect(await shown('Exporting users.csv')).toBeTruthy();
  expect(lines()).toHaveLength(2);
  desk.end('done', 12345);
  expect(await shown('12,345 claims, in your downloads.')).toBeTruthy();
  expect(await shown('12,345 claims, in the downloads of the browser that asked.')).toBeTruthy();
});

test('one without news is watched again once it is found', async () => {
  server.use(http.get('*/api/exports/:id', () => refusal(404, 'x', 'No such.'), { once: true }));
  load();
  await act(() => startExport(exportRequest));
  await shown('No more news of claims.csv');
  desk.underWay = [newExport];
  server.use(
    http.post('*/api/exports', () => refusal(409, 'too_many_exports', 'Two are under way.')),
  );
  await act(() => startExport(exportRequest));
  expect(await shown(/4,321 of/)).toBeTruthy();
  expect(screen.queryByText('No more news of claims.csv')).toBeNull();
});

test('one that is in the list before its own answer has come is one line', async () => {
  desk.underWay = [newExport];
  load();
  await shown('Exporting claims.csv');
  await act(() => startExport(exportRequest));
  expect(desk.downloads).toHaveLength(1);
  expect(lines()).toHaveLength(1);
});

test('what was under way for one admin is not shown to the next', async () => {
  const begun: (() => void)[] = [];
  server.use(
    http.get('*/api/exports', async () => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return HttpResponse.json([newExport]);
    }),
  );
  load();
  await waitFor(() => expect(begun).toHaveLength(1));
  act(() => startSession('of another admin'));
  begun[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(lines()).toEqual([]);
});
