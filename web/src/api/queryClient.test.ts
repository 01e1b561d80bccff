import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { NoAnswerError, RefusedError } from './errors';
import { createQueryClient, refetchOutdated, restartQueries } from './queryClient';

const attempts = async (error: Error) => {
  vi.useFakeTimers();
  try {
    const ask = vi.fn(() => Promise.reject(error));
    const observer = new QueryObserver(createQueryClient(), { queryKey: ['x'], queryFn: ask });
    const leave = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(observer.getCurrentResult().error).toBe(error);
    leave();
    return ask.mock.calls.length;
  } finally {
    vi.useRealTimers();
  }
};

test('a busy server is retried three times, a lost response or other 5xx once, and a 422 never', async () => {
  expect(await attempts(new RefusedError(503, 'busy', 'The server is busy.'))).toBe(4);
  expect(await attempts(new NoAnswerError())).toBe(2);
  expect(await attempts(new RefusedError(503, 'database_unavailable', 'No database.'))).toBe(2);
  expect(await attempts(new RefusedError(422, 'invalid_input', 'No.'))).toBe(1);
});

test('a first read in progress is completed, and then repeated', async () => {
  const client = createQueryClient();
  const answers: ((version: string) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['x'],
    queryFn: () => new Promise<string>((answer) => answers.push(answer)),
  });
  const leave = observer.subscribe(() => undefined);
  const refetched = refetchOutdated(client, {});
  answers[0]?.('before the change');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect(client.getQueryData(['x'])).toBe('before the change');
  answers[1]?.('after it');
  await refetched;
  expect(client.getQueryData(['x'])).toBe('after it');
  leave();
});

const busy = new RefusedError(503, 'busy', 'The server is busy.');

test('a first read that a busy server refuses is not repeated for a change in the meantime', async () => {
  vi.useFakeTimers();
  try {
    const client = createQueryClient();
    const ask = vi.fn(() => Promise.reject(busy));
    const observer = new QueryObserver(client, { queryKey: ['x'], queryFn: ask });
    const leave = observer.subscribe(() => undefined);
    const refetched = refetchOutdated(client, {});
    await vi.advanceTimersByTimeAsync(60_000);
    await refetched;
    expect(ask).toHaveBeenCalledTimes(4);
    leave();
  } finally {
    vi.useRealTimers();
  }
});

test('a query that waits for its next attempt is requested at once when it is restarted', async () => {
  vi.useFakeTimers();
  try {
    const client = createQueryClient();
    const ask = vi.fn(() => Promise.resolve('rows'));
    ask.mockRejectedValueOnce(busy);
    const observer = new QueryObserver(client, { queryKey: ['x'], queryFn: ask });
    const leave = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    expect(observer.getCurrentResult()).toMatchObject({ failureCount: 1, isFetching: true });
    const restarted = restartQueries(client, ['x']);
    await vi.advanceTimersByTimeAsync(1);
    await restarted;
    expect(observer.getCurrentResult().data).toBe('rows');
    expect(ask).toHaveBeenCalledTimes(2);
    leave();
  } finally {
    vi.useRealTimers();
  }
});
