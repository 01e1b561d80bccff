import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { qrQuery } from './qrQuery';

export type QrPast = Schemas['QrPast'];

const limit = 30;

/** The key extends the key of the list: invalidating the list invalidates the history too. */
export const historyOptions = (qr: string | null, before: number | null) =>
  queryOptions({
    queryKey: [...qrQuery.queryKey, 'history', qr, before],
    queryFn: ({ signal }) => {
      const query = { limit, ...(qr && { qr }), ...(before !== null && { before }) };
      return dataOf<Schemas['QrHistory']>(
        api.GET('/api/qr/history', { params: { query }, signal }),
      );
    },
  });
