import { act, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { liveEvents } from '../api/live';
import { lazyFile } from '../ui/lazyFile';
import { BrokenScreen } from './BrokenScreen';

test.each([
  ['the connection is back', () => liveEvents.dispatchEvent(new Event('back'))],
  ['the computer is online', () => window.dispatchEvent(new Event('online'))],
])('a screen that failed to load is loaded again once %s', async (_, comeBack) => {
  // React logs the error that it passes on.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  const load = vi.fn(async () => {
    if (isDown) throw new TypeError('Failed to fetch');
    return { default: () => <h1>Claims</h1> };
  });
  const { Component } = lazyFile(load);
  render(
    <BrokenScreen>
      <Suspense>
        <Component />
      </Suspense>
    </BrokenScreen>,
  );
  await screen.findByText('This screen could not be loaded.');
  expect(load).toHaveBeenCalledTimes(1);

  await act(async () => comeBack());
  await screen.findByText('This screen could not be loaded.');
  expect(load).toHaveBeenCalledTimes(2);

  isDown = false;
  await act(async () => comeBack());
  await screen.findByRole('heading', { name: 'Claims' });
  expect(screen.queryByText('This screen could not be loaded.')).toBeNull();
});
