import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { NoAnswerError } from '../../api/errors';
import type { Claim } from '../../entities/claim/claim';
import { claimTasks } from '../../entities/claim/claimTasks';
import { isShortcut } from '../../ui/keys';
import type { TableHandle } from '../../ui/table/currentRow';
import { type ActionRequest, actionOfKey, type RequestAction } from './actions';
import type ClaimDeskOf from './ClaimActions';

type Desk = typeof ClaimDeskOf;

/** Not needed to show the table: loaded at the first pointer, key or touch event, or after 5 seconds. */
const load = () => import('./ClaimActions');
const restMilliseconds = 5_000;

/** The actions on claims, loaded on demand. An action that is requested before that waits until they are loaded. */
export function useDesk() {
  const [Desk, setDesk] = useState<Desk | null>(null);
  const act = useRef<RequestAction | null>(null);
  const waiting = useRef<ActionRequest[]>([]);

  const fetchDesk = useCallback(async () => {
    const loaded = (await load()).default;
    setDesk(() => loaded);
  }, []);

  const ask: RequestAction = useCallback(
    (asked) => {
      if (act.current) return act.current(asked);
      waiting.current.push(asked);
      void fetchDesk().catch(() => tellDropped(waiting.current));
    },
    [fetchDesk],
  );

  const onReady = useCallback((ready: RequestAction) => {
    act.current = ready;
    for (const asked of waiting.current.splice(0)) ready(asked);
  }, []);

  useEffect(() => {
    const prepare = () => void fetchDesk().catch(() => undefined);
    const timer = setTimeout(prepare, restMilliseconds);
    const events = ['pointermove', 'keydown', 'touchstart'];
    for (const event of events)
      window.addEventListener(event, prepare, { once: true, passive: true });
    return () => {
      clearTimeout(timer);
      for (const event of events) window.removeEventListener(event, prepare);
      act.current = null;
      tellDropped(waiting.current.filter(({ action }) => action === 'Accepted'));
    };
  }, [fetchDesk]);

  return { Desk, ask, onReady };
}

/** Reports the actions that were requested but never started. */
function tellDropped(waiting: ActionRequest[]) {
  for (const { place } of waiting.splice(0)) {
    if (!place) continue;
    const task = claimTasks.begin(place.claim._id);
    const line = `The claim of ${place.claim.user.username} was not changed.`;
    task?.notify({ tone: 'bad', lines: [line, new NoAnswerError().message] });
    task?.end();
  }
}

/** The letter keys that act on the focused row. */
export function useClaimKeys(table: RefObject<TableHandle<Claim> | null>, ask: RequestAction) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const action = actionOfKey[event.key];
      // A key that is held down acts once.
      if (!action || event.repeat || !isShortcut(event)) return;
      const isOnRow = document.activeElement?.closest('[data-row-id]') != null;
      const hasRow = isOnRow && table.current?.current() !== undefined;
      if (!hasRow && action !== 'undo') return;
      event.preventDefault();
      const now = hasRow ? table.current?.seen() : undefined;
      // If the row was scrolled out of view, the key only shows it.
      if (hasRow && !now) return;
      ask({ action, place: now && { claim: now.row, index: now.index }, by: 'key' });
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [table, ask]);
}
