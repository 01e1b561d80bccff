import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { endSession, startSession } from '../../api/session';
import { exportRequest, newExport, serverExports } from '../../testing/exportServer';
import { refusal, server } from '../../testing/server';
import { ExportProgress } from './ExportProgress';
import { exportJobs, rememberedExports, startExport } from './exportJobs';

let exportsServer: ReturnType<typeof serverExports>;

beforeEach(() => {
  exportsServer = serverExports();
  startSession('stored', 'asha');
});

function load() {
  render(<ExportProgress />);
  return userEvent.setup();
}

/** A page that is loaded while the export that it started is running. */
function reload() {
  rememberedExports.add('e1');
  return load();
}

/** Counts the requests for the running exports. */
function countLists() {
  const counted = { lists: 0 };
  server.use(
    http.get('*/api/exports', () => {
      counted.lists += 1;
      return HttpResponse.json(exportsServer.underWay);
    }),
  );
  return counted;
}

const shown = (text: string | RegExp) => screen.findByText(text, { ignore: '[role=status] *' });
const lines = () => screen.queryAllByRole('button', { name: /^Cancel: / });

test('a running export is listed again after a reload, with its progress and Cancel', async () => {
  exportsServer.underWay = [{ ...newExport, state: 'running', rowsWritten: 4000 }];
  const user = reload();
  expect(await shown('4,000 of 12,345 rows · 32%')).toBeTruthy();
  expect(await shown('4,321 of 12,345 rows · 35%')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Cancel: Exporting claims.csv' }));
  expect(await shown('Cancelled claims.csv')).toBeTruthy();
  expect(exportsServer.cancelled).toEqual(['e1']);
  expect([exportsServer.asked, exportsServer.downloads]).toEqual([[], []]);
});

test('the file of another page is not reported as being in the downloads of this browser', async () => {
  exportsServer.underWay = [newExport];
  exportsServer.end('done', 12345);
  reload();
  expect(
    await shown('12,345 claims, in the downloads of the browser that started it.'),
  ).toBeTruthy();
});

test('a failed export that was found after a reload can be started again with the same request', async () => {
  exportsServer.underWay = [newExport];
  exportsServer.end('failed');
  const user = reload();
  await user.click(await screen.findByRole('button', { name: 'Export again' }));
  await waitFor(() => expect(exportsServer.asked).toEqual([exportRequest]));
});

test('when too many exports are running, each of them is listed once', async () => {
  load();
  await act(() => startExport(exportRequest));
  await shown(/4,321 of/);
  exportsServer.underWay = [newExport, { ...newExport, _id: 'e2', fileName: 'users.csv' }];
  server.use(
    http.post('*/api/exports', () => refusal(409, 'too_many_exports', 'Two are under way.')),
  );
  await act(() => startExport(exportRequest));
  expect(await shown('Two are under way.')).toBeTruthy();
  expect(await shown('Exporting users.csv')).toBeTruthy();
  expect(lines()).toHaveLength(2);
  exportsServer.end('done', 12345);
  expect(await shown('12,345 claims, in your downloads.')).toBeTruthy();
  expect(
    await shown('12,345 claims, in the downloads of the browser that started it.'),
  ).toBeTruthy();
});

test('an export without news is watched again once it is found', async () => {
  server.use(http.get('*/api/exports/:id', () => refusal(404, 'x', 'No such.'), { once: true }));
  load();
  await act(() => startExport(exportRequest));
  await shown('Lost contact with claims.csv');
  exportsServer.underWay = [newExport];
  server.use(
    http.post('*/api/exports', () => refusal(409, 'too_many_exports', 'Two are under way.')),
  );
  await act(() => startExport(exportRequest));
  expect(await shown(/4,321 of/)).toBeTruthy();
  expect(screen.queryByText('Lost contact with claims.csv')).toBeNull();
});

test('an export that is listed before its own response arrives is shown once', async () => {
  exportsServer.underWay = [newExport];
  reload();
  await shown('Exporting claims.csv');
  await act(() => startExport(exportRequest));
  expect(exportsServer.downloads).toHaveLength(1);
  expect(lines()).toHaveLength(1);
});

test('the running exports of one admin are not shown to the next', async () => {
  const begun: (() => void)[] = [];
  server.use(
    http.get('*/api/exports', async () => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return HttpResponse.json([newExport]);
    }),
  );
  reload();
  await waitFor(() => expect(begun).toHaveLength(1));
  act(() => startSession('of another admin'));
  begun[0]?.();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(lines()).toEqual([]);
});

test('a page asks for running exports only if this admin has seen one running in this browser', async () => {
  const counted = countLists();
  load();
  rememberedExports.add('e1');
  endSession();
  startSession('of another', 'ravi');
  load();
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_700_000);
  rememberedExports.add('e1');
  vi.mocked(Date.now).mockRestore();
  load();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(counted.lists).toBe(0);
  startSession('stored', 'asha');
  load();
  await waitFor(() => expect(counted.lists).toBe(1));
});

test('an export is remembered from its start to its end', async () => {
  load();
  await act(() => startExport(exportRequest));
  expect(rememberedExports.ids()).toEqual(['e1']);
  exportsServer.end('done', 12345);
  await shown(/in your downloads/);
  expect(rememberedExports.ids()).toEqual([]);
});

test('an export that ended while no page was open is forgotten', async () => {
  const counted = countLists();
  reload();
  await waitFor(() => expect(rememberedExports.ids()).toEqual([]));
  expect(counted.lists).toBe(1);
  expect(exportJobs.get().some(({ exportId }) => exportId === 'e1')).toBe(false);
});
