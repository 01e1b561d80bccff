import type { QueryClient } from '@tanstack/react-query';
import { type Page, type PageAnswer, type PageSource, rowsKey } from './pages';

type Rows<Row> = Pick<PageSource<Row>, 'noun' | 'idOf'>;

/** Changes one row where it stands, in every page that holds it. */
export async function changeRow<Row>(
  client: QueryClient,
  source: Rows<Row>,
  id: string,
  change: (row: Row) => Row,
) {
  await changeRows(client, source, new Map([[id, change]]));
  void client.invalidateQueries({ queryKey: [source.noun, 'totals'] });
}

/** The same for several, by their ids. The totals are left to the caller. */
export async function changeRows<Row>(
  client: QueryClient,
  source: Rows<Row>,
  changes: ReadonlyMap<string, (row: Row) => Row>,
) {
  const queryKey = rowsKey(source.noun);
  // A page that was asked for before the change must not overwrite what is known after it.
  const beingRead = new Set(client.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' }));
  await client.cancelQueries({ queryKey });
  const changed = <Part extends PageAnswer<Row>>(page: Part): Part =>
    page.rows.some((row) => changes.has(source.idOf(row)))
      ? { ...page, rows: page.rows.map((row) => changes.get(source.idOf(row))?.(row) ?? row) }
      : page;
  client.setQueriesData<Page<Row>>({ queryKey }, (page) => {
    if (!page) return page;
    const next = changed(page);
    const fresh = page.fresh && changed(page.fresh);
    // Pages without the row stay the same objects, and nothing is drawn anew for them.
    return fresh === page.fresh ? next : { ...next, fresh };
  });
  // Whoever asked for a page still wants it; asked for now, it can only be newer.
  if (beingRead.size > 0) {
    void client.refetchQueries({ queryKey, predicate: (query) => beingRead.has(query) });
  }
}
