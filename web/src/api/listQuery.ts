/** The filters, search and order of a list, as the server's query parameters. */
export type ListQuery = Readonly<Record<string, string>>;

/** Rows per page: enough for a tall window and no more, because the first rows wait for the whole page. */
export const pageSize = 50;

/** The query without the sort order, which does not affect the count. */
export function filtersOf({ sort: _, ...filters }: ListQuery): ListQuery {
  return filters;
}
