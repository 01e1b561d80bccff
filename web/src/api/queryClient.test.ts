import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { NoAnswerError, RefusedError } from './errors';
import { createQueryClient } from './queryClient';

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
