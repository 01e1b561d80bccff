/** The filters, search and order of a list, in the server's words. */
export type ListQuery = Readonly<Record<string, string>>;

/** Of every page: enough for a tall window, and no more, for the first rows wait for it. */
export const pageSize = 50;

/** The order is no part of what is counted. */
export function filtersOf({ sort: _, ...filters }: ListQuery): ListQuery {
  return filters;
}
