import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { startSession } from '../../api/session';
import { planned, serverHas } from '../../testing/importServer';
import { openApp } from '../../testing/openApp';
import { server } from '../../testing/server';

const uploading = { ...planned, state: 'uploading', parts: 0, partsInAll: 1 } as const;
const file = new File(['id'], 'users.csv');
const sentParts = (calls: readonly [string, unknown][]) =>
  calls.filter(([name]) => name.startsWith('PUT /parts'));

afterEach(() => vi.restoreAllMocks());

async function pickFile() {
  const { user } = openApp('/Settings/Import');
  await user.upload(await screen.findByLabelText<HTMLInputElement>('Files to import'), file);
}

test('an upload that is answered after another admin has signed in sends no files', async () => {
  const state = serverHas(uploading);
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => {
    answer = done;
  });
  let isAsked = false;
  server.use(
    http.post('*/api/imports', async () => {
      isAsked = true;
      await isAnswered;
      return HttpResponse.json(uploading, { status: 201 });
    }),
  );
  await pickFile();
  await waitFor(() => expect(isAsked).toBe(true));
  startSession('of another admin');
  answer();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(state.calls).toEqual([]);
  expect(window.location.search).toBe('');
});

test('a lost part is not sent again after another admin has signed in', async () => {
  const state = serverHas(uploading);
  let lost = 0;
  server.use(
    http.put('*/api/imports/parts', () => {
      lost += 1;
      return HttpResponse.error();
    }),
  );
  await pickFile();
  await waitFor(() => expect(lost).toBe(1));
  startSession('of another admin');
  // Longer than the pause before the next attempt.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(lost).toBe(1);
  expect(sentParts(state.calls)).toEqual([]);
});
