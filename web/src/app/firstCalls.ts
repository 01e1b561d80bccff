import { filtersOf, type ListQuery, pageSize } from '../api/listQuery';
import { claimView } from '../features/claims/claimView';
import { purchaseView } from '../features/purchases/purchaseView';
import { userView } from '../features/users/userView';
import { parseView, queryOf, type ViewSchema } from '../ui/table/view';
import { isAt } from './isAt';

const lists: { href: string; rows: string; totals: string; schema: ViewSchema }[] = [
  {
    href: '/Data',
    rows: '/api/purchases/all',
    totals: '/api/purchases/totals',
    schema: purchaseView,
  },
  {
    href: '/Withdraw',
    rows: '/api/claims/all',
    totals: '/api/claims/totals',
    schema: claimView,
  },
  { href: '/reg', rows: '/api/users', totals: '/api/users/totals', schema: userView },
];

/** The requests that a screen sends first when it is opened at this URL. */
export function firstCalls(pathname: string, search: string): string[] {
  if (isAt(pathname, '/Qr')) return ['/api/qr'];
  if (isAt(pathname, '/Settings')) return ['/api/policy'];
  if (isAt(pathname, '/client/:id')) return [`/api/clients/${pathname.split('/')[2]}`];
  const list = lists.find(({ href }) => isAt(pathname, href));
  if (!list) return [];
  const query = queryOf(parseView(search, list.schema), list.schema);
  return [
    `${list.rows}?${written({ ...query, limit: String(pageSize) })}`,
    `${list.totals}?${written(filtersOf(query))}`,
  ];
}

const written = (query: ListQuery) => new URLSearchParams(query).toString();
