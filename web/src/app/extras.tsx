import { useEffect, useSyncExternalStore } from 'react';
import { ExportMenu } from '../features/exports/ExportMenu';
import { SavedViews } from '../features/views/SavedViews';
import { fetchFont } from '../ui/fonts/font';
import { loadable } from '../ui/loadable';
import { uiParts } from '../ui/parts';
import { tableParts } from '../ui/table/parts';
import type { TableTools } from '../ui/table/tableTools';
import { loadScreens } from './screenFiles';

/*
 * Code that no first view needs: panels, dialogs, sheets, whatever opens on a click or arrives later. Add it here (or
 * in `ui/parts`, `ui/table/parts`) and its files to `extras` in vite.config.ts: the build makes one file of them.
 */

export const ExportProgress = loadable(() => import('../features/exports/ExportProgress'));
export const Batches = loadable(() => import('../features/batches/Batches'));
const BatchButtons = loadable(() => import('../features/batches/BatchButtons'));
export const KeysHelp = loadable(() => import('./KeysHelp'));
export const SideMenu = loadable(() => import('./SideMenu'));

const listeners = new Set<() => void>();
let areAtHand = false;

/** Call it when the extras are about to be used. */
export async function loadExtras(): Promise<void> {
  if (areAtHand) return;
  const own = [ExportProgress, Batches, BatchButtons, KeysHelp, SideMenu];
  const parts = [...own.map(({ load }) => load), ...uiParts, ...tableParts];
  await Promise.all(parts.map((load): Promise<unknown> => load()));
  areAtHand = true;
  for (const listener of listeners) listener();
}

const prepare = () => void loadExtras().catch(() => undefined);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAreExtrasAtHand = () => useSyncExternalStore(subscribe, () => areAtHand);

/** Features must not import each other, so the tables get these tools from here. */
export const tableTools: TableTools = {
  Export: ExportMenu,
  Views: SavedViews,
  Bulk: BatchButtons,
  prepare,
};

const shownMilliseconds = 1_000;
const restMilliseconds = 10_000;

/**
 * Loads the extras after the first view is shown, and everything else when the app is idle, so that all of it keeps
 * working if the server becomes unreachable later.
 */
export function useAllAtHand() {
  useEffect(() => {
    const shown = setTimeout(prepare, shownMilliseconds);
    const atRest = setTimeout(() => {
      prepare();
      loadScreens();
      void fetchFont().catch(() => undefined);
    }, restMilliseconds);
    return () => {
      clearTimeout(shown);
      clearTimeout(atRest);
    };
  }, []);
}
