import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useOpenHere, useWhoHasOpen } from '../../api/live';
import { serverSendsEvents } from '../../testing/liveServer';
import { reportOpenClaim, showOpenClaims } from './presence';

let stop: () => void;

beforeEach(() => localStorage.setItem('token', 'stored'));
afterEach(() => stop());

const openAt = (id?: string) =>
  renderHook((claimId: string | undefined) => useOpenHere(claimId), { initialProps: id });

test('the open claim is reported to the server once it has settled, and again when it is closed', async () => {
  const { said } = serverSendsEvents();
  stop = reportOpenClaim();
  const panel = openAt('c1');
  panel.rerender('c2');
  await vi.waitFor(() => expect(said).toHaveLength(1));
  panel.rerender(undefined);
  await vi.waitFor(() => expect(said).toHaveLength(2));
  expect(said.map(({ claimId }) => claimId)).toEqual(['c2', null]);
  expect(new Set(said.map(({ tab }) => tab)).size).toBe(1);
  expect(said[0]?.tab).toMatch(/^[0-9a-f]{32}$/);
});

test('the open claim is reported every ten seconds, and a last time when the page is left', async () => {
  const { said } = serverSendsEvents();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  stop = reportOpenClaim();
  openAt('c1');
  await vi.waitFor(() => expect(said).toHaveLength(1));
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(said).toHaveLength(2));
  window.dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect(said).toHaveLength(3));
  expect(said.map(({ claimId }) => claimId)).toEqual(['c1', 'c1', null]);
});

test('a tab keeps its id across a reload, and a duplicate of it gets another', async () => {
  const { said } = serverSendsEvents();
  stop = reportOpenClaim();
  openAt('c1');
  await vi.waitFor(() => expect(said).toHaveLength(1));
  // What a browser would copy when it duplicates the tab.
  expect(Object.values({ ...sessionStorage })).not.toContain(said[0]?.tab);
  window.dispatchEvent(new Event('pagehide'));
  stop();
  stop = reportOpenClaim();
  await vi.waitFor(() => expect(said.at(-1)?.claimId).toBe('c1'));
  expect(new Set(said.map(({ tab }) => tab)).size).toBe(1);
});

test('every admin who has a claim open is named', () => {
  stop = () => undefined;
  const names = renderHook(() => useWhoHasOpen('c1'));
  expect(names.result.current).toBe('');
  act(() =>
    showOpenClaims([
      { claimId: 'c1', by: 'asha' },
      { claimId: 'c2', by: 'meera' },
      { claimId: 'c1', by: 'ravi' },
    ]),
  );
  expect(names.result.current).toBe('asha, ravi');
  act(() => showOpenClaims([]));
  expect(names.result.current).toBe('');
});
