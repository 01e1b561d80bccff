import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { RefusedError } from '../../api/errors';
import { findViewByName } from './sameView';
import {
  deleteView,
  type NewView,
  replaceView,
  type SavedView,
  type Screen,
  saveView,
  viewsQuery,
} from './viewsQuery';

/** The name is taken. Carries the view that has it, so that it can be replaced. */
export class NameTaken extends Error {
  constructor(readonly view: SavedView) {
    super(`There is already a view named “${view.name}”.`);
    this.name = 'NameTaken';
  }
}

/** Each change waits until the list is refetched, so that the screen shows what the server has. */
export function useSaveView(screen: Screen) {
  const client = useQueryClient();
  const { queryKey } = viewsQuery(screen);
  return useMutation({
    networkMode: 'always',
    mutationFn: async ({ over, ...view }: NewView & { over?: string | undefined }) => {
      if (over) return replaceView(over, view);
      try {
        return await saveView(view);
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'view_exists') throw error;
        // Another window may have saved it; only a fresh list has its id.
        const views = await client.fetchQuery({ ...viewsQuery(screen), staleTime: 0 });
        const taken = findViewByName(views, view.name);
        throw taken ? new NameTaken(taken) : error;
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

export function useDeleteView(
  screen: Screen,
  removed: SavedView | null,
  setRemoved: (view: SavedView | null) => void,
) {
  const client = useQueryClient();
  const { queryKey } = viewsQuery(screen);
  const onSettled = () => client.invalidateQueries({ queryKey });

  const removal = useMutation({
    networkMode: 'always',
    mutationFn: (view: SavedView) => deleteView(view._id),
    onSuccess: (_, view) => setRemoved(view),
    onSettled,
  });
  const undoing = useMutation({
    networkMode: 'always',
    mutationFn: ({ _id, ...view }: SavedView) => saveView(view),
    onSuccess: () => setRemoved(null),
    onSettled,
  });

  const { reset: forgetRemoval } = removal;
  const { reset: forgetUndoing } = undoing;
  const forgetFailures = useCallback(() => {
    forgetRemoval();
    forgetUndoing();
  }, [forgetRemoval, forgetUndoing]);

  return {
    removed,
    failure: removal.error ?? undoing.error,
    forgetFailures,
    isUndoing: undoing.isPending,
    remove: (view: SavedView) => {
      if (!removal.isPending) removal.mutate(view);
    },
    undo: () => {
      if (removed && !undoing.isPending) undoing.mutate(removed);
    },
  };
}

export type Deleting = ReturnType<typeof useDeleteView>;
