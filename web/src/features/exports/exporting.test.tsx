import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test, vi } from 'vitest';
import { endSession, startSession } from '../../api/session';
import { exportUrl, newExport, serverExports } from '../../testing/exportServer';
import { refusal, server } from '../../testing/server';
import { ExportMenu } from './ExportMenu';
import { ExportProgress } from './ExportProgress';

let exportsServer: ReturnType<typeof serverExports>;

beforeEach(() => {
  exportsServer = serverExports();
  startSession('stored');
});

function openScreen(count?: number) {
  const menu = <ExportMenu list="claims" query={{ status: 'Pending' }} count={count} />;
  const page = (isHere: boolean) => (
    <>
      {isHere && menu}
      <ExportProgress />
    </>
  );
  const { rerender } = render(page(true));
  return { user: userEvent.setup(), leave: () => rerender(page(false)) };
}
type User = ReturnType<typeof openScreen>['user'];

async function choose(user: User, name: RegExp) {
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('button', { name }));
}
const heard = () => screen.getByRole('status').textContent;
const shown = (text: string | RegExp) => screen.findByText(text, { ignore: '[role=status] *' });

test('the menu says what each format is for and what will be exported', async () => {
  const { user } = openScreen(12345);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const panel = within(screen.getByRole('dialog', { name: 'Export' }));
  expect(await panel.findByText('Exports these 12,345 claims.')).toBeTruthy();
  expect(panel.getByRole('button', { name: /CSV.*Opens anywhere/ })).toBeTruthy();
  expect(panel.getByRole('button', { name: /XLSX.*Keeps account numbers as text/ })).toBeTruthy();
});

test('an export of nothing is not offered', async () => {
  const { user } = openScreen(0);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  const panel = within(screen.getByRole('dialog', { name: 'Export' }));
  expect(panel.getByText('No claim matches, so there is nothing to export.')).toBeTruthy();
  expect(panel.queryByRole('button', { name: /CSV|XLSX/ })).toBeNull();
});

test('the export sends exactly the filters, and the browser downloads from the returned URL', async () => {
  const { user } = openScreen();
  await choose(user, /XLSX/);
  await waitFor(() => expect(exportsServer.downloads).toEqual([`claims.csv from ${exportUrl}`]));
  expect(exportsServer.asked).toEqual([
    { list: 'claims', format: 'xlsx', query: { status: 'Pending' } },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Export' }));
});

test('progress is shown in rows and percent, on other screens too, until the export is done', async () => {
  const { user, leave } = openScreen();
  await choose(user, /CSV/);
  leave();
  expect(await shown('4,321 of 12,345 rows · 35%')).toBeTruthy();
  const bar = screen.getByRole<HTMLProgressElement>('progressbar');
  expect([bar.value, bar.max]).toEqual([4321, 12345]);
  exportsServer.end('done', 12345);
  expect(await shown('12,345 claims, in your downloads.')).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('announcements change with the state and not with every row', async () => {
  const { user } = openScreen();
  expect(heard()).toBe('');
  await choose(user, /CSV/);
  await shown(/4,321 of/);
  expect(heard()).toBe('Exporting claims.csv. ');
  exportsServer.end('done', 12345);
  await shown('Exported claims.csv');
  expect(heard()).toBe('Exported claims.csv. 12,345 claims, in your downloads.');
});

test('a double click sends one request, and the menu stays open until the second click', async () => {
  const { user } = openScreen();
  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.dblClick(screen.getByRole('button', { name: /CSV/ }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(exportsServer.asked).toHaveLength(1);
  expect(exportsServer.downloads).toHaveLength(1);
});

test('cancelling stops the export on the server, and says so', async () => {
  const { user } = openScreen();
  await choose(user, /CSV/);
  await shown(/4,321 of/);
  await user.dblClick(screen.getByRole('button', { name: 'Cancel: Exporting claims.csv' }));
  expect(await shown('Cancelled claims.csv')).toBeTruthy();
  expect(exportsServer.cancelled).toEqual(['e1']);
  const dismiss = screen.getByRole('button', { name: 'Dismiss: Cancelled claims.csv' });
  expect(document.activeElement).toBe(dismiss);
  await user.click(dismiss);
  expect(screen.queryByText('Cancelled claims.csv')).toBeNull();
});

test('a failed cancellation is reported, and the export continues', async () => {
  server.use(http.delete('*/api/exports/:id', () => refusal(503, 'database_unavailable', 'Away.')));
  const { user } = openScreen();
  await choose(user, /CSV/);
  await shown(/4,321 of/);
  await user.click(screen.getByRole('button', { name: /^Cancel/ }));
  expect(await shown('Not cancelled. Away.')).toBeTruthy();
  exportsServer.end('done', 12345);
  expect(await shown('Exported claims.csv')).toBeTruthy();
});

test('a failed export says that the file must not be used, and can be started again', async () => {
  exportsServer.end('failed');
  const { user } = openScreen();
  await choose(user, /CSV/);
  expect(await shown('The file is not complete. Do not use it; export again.')).toBeTruthy();
  exportsServer.news = { ...newExport, state: 'running', rowsWritten: 1 };
  await user.click(screen.getByRole('button', { name: 'Export again' }));
  expect(await shown('1 of 12,345 rows · 0%')).toBeTruthy();
  expect(exportsServer.asked).toHaveLength(2);
  expect(screen.queryByText('Failed to export claims.csv')).toBeNull();
});

test('a download that the browser has blocked says what to do', async () => {
  exportsServer.end('expired', 0);
  const { user } = openScreen();
  await choose(user, /CSV/);
  expect(await shown('The download of claims.csv did not start')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Export again' })).toBeTruthy();
});

test('a refused export says why and downloads nothing', async () => {
  server.use(
    http.post('*/api/exports', () => refusal(409, 'too_many_exports', 'Two are under way.')),
  );
  const { user } = openScreen();
  await choose(user, /CSV/);
  expect(await shown('Two are under way.')).toBeTruthy();
  expect(await shown('Failed to export the claims')).toBeTruthy();
  expect(exportsServer.downloads).toEqual([]);
});

test('a poll without a response is retried; a refused poll ends the polling', async () => {
  server.use(http.get('*/api/exports/:id', () => HttpResponse.error(), { once: true }));
  const { user } = openScreen();
  await choose(user, /CSV/);
  await shown(/4,321 of/);
  server.use(http.get('*/api/exports/:id', () => refusal(404, 'export_not_found', 'No such.')));
  expect(await shown(/No such. Check in the browser’s downloads/)).toBeTruthy();
});

test('an export without a known total shows no percentage', async () => {
  exportsServer.news = { ...newExport, state: 'running', rowsWritten: 1, rowsTotal: null };
  const { user } = openScreen();
  await choose(user, /CSV/);
  expect(await shown('1 row so far')).toBeTruthy();
  expect(screen.getByRole('progressbar').hasAttribute('value')).toBe(false);
});

test('an export of one admin is neither shown nor given to the next', async () => {
  let isAnswered = false;
  let answer = () => undefined as undefined;
  const wait = new Promise<void>((resolve) => {
    answer = () => void resolve() as undefined;
  });
  server.use(
    http.post('*/api/exports', async () => {
      await wait;
      isAnswered = true;
      return HttpResponse.json({ ...newExport, url: exportUrl }, { status: 201 });
    }),
  );
  const { user } = openScreen();
  await choose(user, /CSV/);
  await shown('Exporting the claims');
  act(() => endSession());
  expect(screen.queryByText('Exporting the claims')).toBeNull();
  answer();
  await waitFor(() => expect(isAnswered).toBe(true));
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(exportsServer.downloads).toEqual([]);
});

test('a finished export disappears after a while, but not while it has the focus', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    exportsServer.end('done', 12345);
    openScreen();
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await choose(user, /CSV/);
    await shown('Exported claims.csv');
    screen.getByRole('button', { name: /^Dismiss/ }).focus();
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(await shown('Exported claims.csv')).toBeTruthy();
    screen.getByRole('button', { name: 'Export' }).focus();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(screen.queryByText('Exported claims.csv')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
