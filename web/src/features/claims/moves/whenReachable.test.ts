import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveEvents } from '../../../api/live';
import { startSession } from '../../../api/session';
import { whenReachable } from './whenReachable';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const comeBack = () => liveEvents.dispatchEvent(new Event('back'));

test('it calls back once, whichever signal says first that the server is back', () => {
  const look = vi.fn();
  whenReachable(look);
  comeBack();
  comeBack();
  window.dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(60_000);
  expect(look).toHaveBeenCalledTimes(1);
});

test('it calls back after a while if no signal says that the server is back', () => {
  const look = vi.fn();
  whenReachable(look);
  vi.advanceTimersByTime(9_000);
  expect(look).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  expect(look).toHaveBeenCalledTimes(1);
});

test('it never calls back for the next admin, nor after it was stopped', () => {
  const look = vi.fn();
  whenReachable(look);
  startSession('of another');
  whenReachable(look)();
  comeBack();
  vi.advanceTimersByTime(60_000);
  expect(look).not.toHaveBeenCalled();
});
