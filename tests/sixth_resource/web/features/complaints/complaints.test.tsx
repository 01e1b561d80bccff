import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Complaint } from '../../entities/complaint/complaint';
import { serverExports } from '../../testing/exportServer';
import { openLive } from '../../testing/liveServer';
import { heading, openApp, rowOf } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';

const late: Complaint = {
  _id: 'k1',
  createdAt: '2026-11-15T02:52:36.120Z',
  subject: 'Late payout',
  channel: 'phone',
  answeredAt: null,
};
const wrong: Complaint = { ...late, _id: 'k2', subject: 'Wrong name', channel: 'mail' };

/** A server with complaints, and the queries of their list. */
function serverHasComplaints(complaints: Complaint[] = [late, wrong]) {
  const state = { complaints, reads: [] as string[] };
  server.use(
    http.get('*/api/complaints/all', ({ request }) => {
      state.reads.push(new URL(request.url).search);
      return HttpResponse.json(state.complaints);
    }),
    http.get('*/api/complaints/totals', () =>
      HttpResponse.json({ count: state.complaints.length, isExact: true }),
    ),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  return state;
}

const answerTo = async (subject: string) =>
  (await rowOf(subject)).getByRole<HTMLButtonElement>('button', { name: 'Answer' });

test('the menu leads to the screen with its rows, search, filter, views and export', async () => {
  const { reads } = serverHasComplaints();
  const exports = serverExports();
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const menu = within(await screen.findByRole('navigation'));
  await user.click(menu.getByRole('link', { name: 'Complaints' }));
  await heading('Complaints of clients');
  expect((await rowOf('Wrong name')).getByText('mail')).toBeTruthy();
  expect(await screen.findByText('2 complaints')).toBeTruthy();

  await user.type(screen.getByRole('searchbox', { name: 'Search complaints' }), 'late');
  await waitFor(() => expect(reads).toContain('?q=late&limit=50'));
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Channel' }), 'mail');
  await waitFor(() => expect(reads).toContain('?q=late&channel=mail&limit=50'));
  expect(screen.getByRole('button', { name: 'Views' })).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('button', { name: /^CSV/ }));
  const asked = { list: 'complaints', format: 'csv', query: { q: 'late', channel: 'mail' } };
  await waitFor(() => expect(exports.asked).toEqual([asked]));
});

test('a complaint is answered from its row, and a refusal is shown, on another screen too', async () => {
  serverHasComplaints();
  const path = '*/api/complaints/:id/answer';
  const conflict = () => refusal(409, 'complaint_answered', 'It has been answered.');
  server.use(http.post(path, conflict, { once: true }));
  const { user } = openApp('/complaints');
  await user.click(await answerTo('Late payout'));
  expect(await screen.findByText('“Late payout” was not answered.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(await screen.findByRole('link', { name: 'Data' }));
  await heading('Client Data');
  await user.click(screen.getByRole('link', { name: 'Open Complaints' }));

  server.use(http.post(path, () => new HttpResponse(null, { status: 204 })));
  await user.click(await answerTo('Late payout'));
  await waitFor(async () => expect((await answerTo('Late payout')).disabled).toBe(true));
  expect((await answerTo('Wrong name')).disabled).toBe(false);
});

test('an answer by another admin reaches the open screen', async () => {
  const state = serverHasComplaints();
  const { live } = await openLive('/complaints');
  expect((await answerTo('Late payout')).disabled).toBe(false);
  state.complaints = [{ ...late, answeredAt: late.createdAt }, wrong];
  live.sendEvent('change', { verb: 'complaint.answered', subjectId: 'k1', by: 'ravi' }, 2);
  await waitFor(async () => expect((await answerTo('Late payout')).disabled).toBe(true));
});
