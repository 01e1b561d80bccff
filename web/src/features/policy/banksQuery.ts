import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export const banksOptions = queryOptions({
  queryKey: ['banks'],
  queryFn: ({ signal }) => dataOf<Schemas['BankData']>(api.GET('/api/banks', { signal })),
  // Changes only with the version of the server.
  staleTime: 3_600_000,
});
