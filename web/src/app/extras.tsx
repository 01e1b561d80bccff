import { useEffect, useSyncExternalStore } from 'react';
import { ExportMenu } from '../features/exports/ExportMenu';
import { SavedViews } from '../features/views/SavedViews';
import { fetchFont } from '../ui/fonts/font';
import { tableParts } from '../ui/table/parts';
import type { TableTools } from '../ui/table/tableTools';
import { loadable } from './loadable';
import { loadScreens } from './screenFiles';

/* What no first view needs. The build puts it all into one file. */

export const ExportProgress = loadable(() => import('../features/exports/ExportProgress'));
export const KeysHelp = loadable(() => import('./KeysHelp'));

const listeners = new Set<() => void>();
let areAtHand = false;

/** To be called when they are about to be asked for. */
export async function loadExtras(): Promise<void> {
  if (areAtHand) return;
  const parts = [ExportProgress.load, KeysHelp.load, ...tableParts];
  await Promise.all(parts.map((load) => load()));
  areAtHand = true;
  for (const listener of listeners) listener();
}

const prepare = () => void loadExtras().catch(() => undefined);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useAreExtrasAtHand = () => useSyncExternalStore(subscribe, () => areAtHand);

/** No feature may know another: the tables get these from here. */
export const tableTools: TableTools = { Export: ExportMenu, Views: SavedViews, prepare };

const restMilliseconds = 10_000;

/** Fetches all the rest once the desk is at rest, so that a server that goes away later takes none of it. */
export function useAllAtHand() {
  useEffect(() => {
    const timer = setTimeout(() => {
      prepare();
      loadScreens();
      void fetchFont().catch(() => undefined);
    }, restMilliseconds);
    return () => clearTimeout(timer);
  }, []);
}
