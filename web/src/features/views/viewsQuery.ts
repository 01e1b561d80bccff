import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

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

export const saveView = (body: NewView) => dataOf<SavedView>(api.POST('/api/views', { body }));

export const replaceView = (id: string, { name, search }: NewView) =>
  dataOf<SavedView>(api.PUT('/api/views/{view_id}', { ...at(id), body: { name, search } }));

export const deleteView = (id: string) => dataOf(api.DELETE('/api/views/{view_id}', at(id)));
