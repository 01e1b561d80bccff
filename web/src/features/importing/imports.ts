import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type ImportEntry = Schemas['ImportEntry'];
export type Import = Schemas['Import'];
export type ImportReport = Schemas['ImportReport'];
export type MappedCollection = Schemas['MappedCollection'];
export type TotalsLine = Schemas['TotalsLine'];
export type BadRow = Schemas['BadRow'];
export type Noun = NonNullable<MappedCollection['noun']>;
/** The corrections of a map, as the server takes them. */
export type ImportMap = Partial<Schemas['Map']>;

/** The jobs write no audit row while they work, so their progress is read again at these intervals. */
const soonMilliseconds = 1_000;
const laterMilliseconds = 10_000;

export const isUnderWay = ({ state }: Pick<ImportEntry, 'state'>) =>
  state === 'planning' || state === 'running';

export const importsOptions = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => dataOf<ImportEntry[]>(api.GET('/api/imports', { signal })),
  refetchInterval: ({ state: { data } }) =>
    data?.some(isUnderWay) ? soonMilliseconds : laterMilliseconds,
});

const at = (import_id: string) => ({ params: { path: { import_id } } });

/** The key extends that of the list: what changes one is read again in both. */
export const importOptions = (id: string) =>
  queryOptions({
    queryKey: [...importsOptions.queryKey, id],
    queryFn: ({ signal }) =>
      dataOf<Import>(api.GET('/api/imports/{import_id}', { ...at(id), signal })),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === 'done') return false;
      return data && isUnderWay(data) ? soonMilliseconds : laterMilliseconds;
    },
  });

export const announceImport = (files: readonly File[]) =>
  dataOf<Import>(
    api.POST('/api/imports', { body: { files: files.map(({ name, size }) => ({ name, size })) } }),
  );

// OpenAPI describes the bytes as a string; the serializer sends the part itself.
const asBytes = '';

/** Sending a part again changes nothing. */
export const sendPart = (id: string, number: number, part: Blob) =>
  dataOf(
    api.PUT('/api/imports/parts', {
      params: { query: { import: id, number } },
      body: asBytes,
      bodySerializer: () => part,
    }),
  );

export const planImport = (id: string, map: ImportMap) =>
  dataOf<Import>(
    api.POST('/api/imports/{import_id}/plan', { ...at(id), body: map as Schemas['Map'] }),
  );

export const cancelPlan = (id: string) =>
  dataOf<Import>(api.POST('/api/imports/{import_id}/cancel', at(id)));

/** With the map whose plan is on the screen: the server refuses another one. */
export const runImport = (id: string, map: ImportMap, stopAtErrors: boolean) =>
  dataOf<Import>(
    api.POST('/api/imports/{import_id}/run', {
      ...at(id),
      body: { map: map as Schemas['Map'], stopAtErrors },
    }),
  );

/** As bytes: decoding the text would remove the mark by which spreadsheets recognise UTF-8. */
export async function readBadRows(id: string): Promise<Blob> {
  const stream = await dataOf(
    api.GET('/api/imports/{import_id}/errors', { ...at(id), parseAs: 'stream' }),
  );
  return new Response(stream as ReadableStream).blob();
}
