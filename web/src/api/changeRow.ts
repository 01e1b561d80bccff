import type { QueryClient } from '@tanstack/react-query';
import { type Page, type PageAnswer, rowsKey, type WithId } from './pages';

/** Updates one row in place, in every cached page that contains it, and refetches the totals. */
export async function changeRow<Row extends WithId>(
  client: QueryClient,
  noun: string,
  id: string,
  change: (row: Row) => Row,
) {
  await changeRows(client, noun, new Map([[id, change]]));
  void client.invalidateQueries({ queryKey: [noun, 'totals'] });
}

/** Updates several rows by id. Refetching the totals is left to the caller. */
export async function changeRows<Row extends WithId>(
  client: QueryClient,
  noun: string,
  changes: ReadonlyMap<string, (row: Row) => Row>,
) {
  const queryKey = rowsKey(noun);
  // A page requested before the change must not overwrite newer data.
  const beingRead = new Set(client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await client.cancelQueries({ queryKey });
  const changed = <Part extends PageAnswer<Row>>(page: Part): Part =>
    page.rows.some(({ _id }) => changes.has(_id))
      ? { ...page, rows: page.rows.map((row) => changes.get(row._id)?.(row) ?? row) }
      : page;
  client.setQueriesData<Page<Row>>({ queryKey }, (page) => {
    if (!page) return page;
    const next = changed(page);
    const fresh = page.fresh && changed(page.fresh);
    // Pages without a changed row keep their identity, so they are not rendered again.
    return fresh === page.fresh ? next : { ...next, fresh };
  });
  // The cancelled pages are still needed; requested now, they cannot be older than the change.
  if (beingRead.size > 0) {
    void client.refetchQueries({ queryKey, predicate: (query) => beingRead.has(query) });
  }
}
