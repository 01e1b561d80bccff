import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp, retryUntil, rowOf } from '../../../testing/openApp';
import { refuseUntilRecovered, server } from '../../../testing/server';
import { formatMoment } from '../../../ui/text/dates';

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:12:00Z`;
const event = (seq: number, sentence: string) => ({
  seq,
  at: at(seq),
  by: 'ravi',
  verb: 'qr.status_changed',
  qr: 'q1',
  name: 'Front desk',
  sentence,
});
const front = {
  _id: 'q1',
  name: 'Front desk',
  upiId: 'front@okaxis',
  status: 'display',
  deletedAt: null,
  qrImage: null,
  shown: [5, 4, 3, 2, 1].map((day) => ({ from: at(day), to: day === 5 ? null : at(day + 1) })),
};
const gone = { ...front, _id: 'q9', name: 'Old desk', deletedAt: at(2), shown: [] };

const shown = (day: number) => formatMoment(at(day));

function serverSendsEvents(history: (query: URLSearchParams) => object) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/qr/history', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push([searchParams.get('qr'), searchParams.get('before')].join());
      return HttpResponse.json(history(searchParams));
    }),
  );
  return asked;
}

test('the history of all codes lists the events page by page, and when each code was on display', async () => {
  const asked = serverSendsEvents((query) =>
    query.get('before')
      ? { codes: [front, gone], events: [event(1, 'ravi uploaded Front desk.')], next: null }
      : { codes: [front, gone], events: [event(9, 'ravi deleted Old desk.')], next: 9 },
  );
  const { user } = openApp('/Qr');
  await user.click(await screen.findByRole('button', { name: 'History' }));
  const panel = within(await screen.findByRole('dialog', { name: 'History of all QR codes' }));
  await panel.findByText('ravi deleted Old desk.');
  expect(panel.getByText(shown(9))).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Load more' }));
  await panel.findByText('ravi uploaded Front desk.');
  expect(panel.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(asked).toEqual([',', ',9']);

  expect(panel.getByText(`deleted ${shown(2)}`)).toBeTruthy();
  expect(panel.getByText('Never on display.')).toBeTruthy();
  expect(panel.getByText(`Since ${shown(5)}`)).toBeTruthy();
  expect(panel.queryByText(`${shown(1)} to ${shown(2)}`)).toBeNull();
  await user.click(panel.getByRole('button', { name: '2 more' }));
  expect(panel.getByText(`${shown(1)} to ${shown(2)}`)).toBeTruthy();
  await user.click(panel.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the history of one code opens from its panel; a failure and an empty history show a message', async () => {
  const asked = serverSendsEvents(() => ({ codes: [], events: [], next: null }));
  const recover = refuseUntilRecovered('*/api/qr/history', 'Not now.');
  const { user } = openApp('/Qr');
  await rowOf('Front desk');
  await user.click(screen.getByRole('button', { name: 'Front desk' }));
  const opened = within(await screen.findByRole('dialog', { name: 'Front desk' }));
  await user.click(opened.getByRole('button', { name: 'History' }));
  const panel = within(await screen.findByRole('dialog', { name: 'History of Front desk' }));
  await panel.findByText('The history could not be loaded.');
  recover();
  await retryUntil(user, () => panel.getByText('Nothing has happened yet.'), panel);
  // A slow answer may have been asked for more than once.
  expect(new Set(asked)).toEqual(new Set(['q1,']));
});
