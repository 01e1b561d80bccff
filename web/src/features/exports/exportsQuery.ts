import { api, dataOf, type Schemas } from '../../api/client';

export type Export = Schemas['Export'];
/** Its `url` works once, within a minute, and without the token. */
type NewExport = Schemas['NewExport'];
export type ExportRequest = Omit<Schemas['ExportRequest'], 'query'> & {
  /** The filters and the sort order, as in the URL of the list. */
  query: Readonly<Record<string, string>>;
};
export type ExportList = ExportRequest['list'];
export type ExportFormat = ExportRequest['format'];

export const requestExport = (body: ExportRequest) =>
  dataOf<NewExport>(api.POST('/api/exports', { body }));

/** The running exports of this admin, from any window. */
export const listExports = () => dataOf<Export[]>(api.GET('/api/exports'));

const at = (id: string) => ({ params: { path: { export_id: id } } });

export const readExport = (id: string) =>
  dataOf<Export>(api.GET('/api/exports/{export_id}', at(id)));

export const cancelExport = (id: string) => dataOf(api.DELETE('/api/exports/{export_id}', at(id)));
