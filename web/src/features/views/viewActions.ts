import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { RefusedError } from '../../api/errors';

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
    mutationFn: async ({ over, ...view }: NewView & { over?: string | undefined }) => {
      if (over) return replaceView(over, view);
      try {
        return await saveView(view);
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'view_exists') throw error;
        // Another window may have saved it; only a fresh list has its id.
        const views = await client.fetchQuery({ ...viewsQuery(screen), staleTime: 0 });
        const taken = views.find(({ name }) => nameKey(name) === nameKey(view.name));
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
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ view: { _id, ...view }, isUndo }: { view: SavedView; isUndo: boolean }) =>
      isUndo ? saveView(view) : deleteView(_id),
    onSuccess: (_, { view, isUndo }) => setRemoved(isUndo ? null : view),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  return {
    removed,
    failure: error,
    forgetFailure: reset,
    isPending,
    remove: (view: SavedView) => {
      if (!isPending) mutate({ view, isUndo: false });
    },
    undo: () => {
      if (removed && !isPending) mutate({ view: removed, isUndo: true });
    },
  };
}

export type Deleting = ReturnType<typeof useDeleteView>;

/** The order of the parameters does not matter. */
export function isSameSearch(one: string, other: string): boolean {
  const inOrder = (search: string) => {
    const given = new URLSearchParams(search);
    given.sort();
    return given.toString();
  };
  return inOrder(one) === inOrder(other);
}

/** Normalizes a name as the server does when it compares names. */
const nameKey = (name: string) => name.normalize('NFKC').toLowerCase();

/** `search` is the query string of the screen's URL, without the question mark. */
export type SavedView = Schemas['View'];
export type NewView = Schemas['NewView'];
export type Screen = SavedView['screen'];

export const viewsQuery = (screen: Screen) =>
  queryOptions({
    queryKey: ['views', screen],
    queryFn: ({ signal }) =>
      dataOf<SavedView[]>(api.GET('/api/views', { params: { query: { screen } }, signal })),
  });

const at = (id: string) => ({ params: { path: { view_id: id } } });

const saveView = (body: NewView) => dataOf<SavedView>(api.POST('/api/views', { body }));

const replaceView = (id: string, { name, search }: NewView) =>
  dataOf<SavedView>(api.PUT('/api/views/{view_id}', { ...at(id), body: { name, search } }));

const deleteView = (id: string) => dataOf(api.DELETE('/api/views/{view_id}', at(id)));
