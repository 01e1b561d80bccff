import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { sentenceOf } from './errors';

/** Fetches a list and returns it in the shape that a table needs. */
export function useList<Row, Key extends readonly unknown[]>(
  options: UseQueryOptions<Row[], Error, Row[], Key>,
) {
  const query = useQuery(options);
  return {
    rows: query.data,
    failure: query.error ? sentenceOf(query.error) : undefined,
    isLoading: query.isFetching,
    reload: () => void query.refetch(),
  };
}
