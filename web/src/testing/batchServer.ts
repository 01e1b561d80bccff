import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { Schemas } from '../api/client';
import { openApp } from './openApp';
import { refusal, server } from './server';

type Sheet = Schemas['Sheet'];
type Outcome = Schemas['BatchOutcome'];

/** A sheet of two claims that will both move. */
export const sheet: Sheet = {
  _id: 'b1',
  status: 'Accepted',
  reason: null,
  createdAt: '2026-09-22T08:00:00Z',
  confirmedAt: null,
  endedAt: null,
  needsReference: false,
  count: 2,
  amount: 8000,
  amountInWords: 'Eight thousand rupees',
  willMove: { count: 2, amount: 8000, amountInWords: 'Eight thousand rupees' },
  changed: { count: 0, items: [] },
  blocked: { count: 0, items: [] },
  sameAccount: { count: 0, items: [] },
  outcome: { done: 0, skipped: 0, failed: 0, left: 2 },
  problems: { count: 0, items: [] },
};

type BatchClaim = Schemas['BatchClaim'];

/** A claim of the sheet, without warnings. */
export const batchClaim = (
  place: number,
  username: string,
  warnings: BatchClaim['warnings'] = [],
): BatchClaim => ({
  _id: `c${place}`,
  version: 1,
  number: `C-${10_000 + place}`,
  username,
  accountNo: `00451234567${place}`,
  ifsc: 'HDFC0001234',
  bank: 'HDFC Bank',
  amount: 4000,
  sameAccount: 1,
  warnings,
});

export const outcomeOf = (done: number, left: number, skipped = 0): Outcome => ({
  done,
  skipped,
  failed: 0,
  left,
});

/** A batch that is confirmed but not finished. */
export const halfDone: Schemas['UnfinishedBatch'] = {
  _id: 'b9',
  status: 'Accepted',
  count: 10_000,
  outcome: outcomeOf(6_200, 3_800),
};

/** Opens a screen unrelated to batches, with the batch lines below it. */
export async function openLines() {
  const app = openApp('/Data');
  await screen.findByText('Rahul Nair');
  return { ...app, batches: within(await screen.findByRole('region', { name: 'Batches' })) };
}

/** `lost` is a network error, `expired` and `asks` are error responses; an outcome is the progress after the call. */
type Run = 'lost' | 'expired' | 'asks' | Outcome;

/** What `asks` wants confirmed with a second factor. */
export const askedOfRun = { action: 'batches.pay', subject: 'a'.repeat(64) };

/** A server that plans and runs batches. Each run takes the next entry of `runs`; the last one is repeated. */
export function serverBatches(planned: Partial<Sheet> = {}, runs: Run[] = [outcomeOf(2, 0)]) {
  const state = {
    planned: { ...sheet, ...planned },
    runs,
    unfinished: [] as Schemas['UnfinishedBatch'][],
    plans: [] as unknown[],
    ran: [] as string[],
    left: [] as string[],
    claims: [batchClaim(1, 'Rahul Nair'), batchClaim(2, 'Sneha Sharma')],
    confirmations: [] as unknown[],
    looks: 0,
  };
  server.use(
    http.post('*/api/batches', async ({ request }) => {
      state.plans.push(await request.json());
      return HttpResponse.json(state.planned, { status: 201 });
    }),
    http.get('*/api/batches', () => {
      state.looks += 1;
      return HttpResponse.json(state.unfinished);
    }),
    http.get('*/api/batches/:id/claims', () => HttpResponse.json(state.claims)),
    http.post('*/api/batches/confirm', async ({ request }) => {
      state.confirmations.push(await request.json());
      return HttpResponse.json({ outcome: outcomeOf(0, 2), endedAt: null, canUndo: false });
    }),
    http.get('*/api/batches/:id', () => HttpResponse.json(state.planned)),
    http.post('*/api/batches/:id/leave', ({ params }) => {
      state.left.push(String(params.id));
      const [first] = state.unfinished;
      state.unfinished = [];
      const { done, left } = first?.outcome ?? outcomeOf(0, 0);
      return HttpResponse.json({
        outcome: outcomeOf(done, 0, left),
        endedAt: '2026-09-22T08:01:00Z',
        canUndo: done > 0,
      });
    }),
    http.post('*/api/batches/:id/run', ({ params }) => {
      state.ran.push(String(params.id));
      const run = (state.runs.length > 1 ? state.runs.shift() : state.runs[0]) ?? 'lost';
      if (run === 'lost') return HttpResponse.error();
      if (run === 'asks') return refusal(403, 'step_up_required', 'Confirm it.', askedOfRun);
      if (run === 'expired') return refusal(409, 'batch_expired', 'This preview is too old.');
      return HttpResponse.json({
        outcome: run,
        endedAt: run.left === 0 ? '2026-09-22T08:01:00Z' : null,
        canUndo: run.left === 0 && run.done > 0 && state.planned.status === 'Accepted',
      });
    }),
  );
  return state;
}
