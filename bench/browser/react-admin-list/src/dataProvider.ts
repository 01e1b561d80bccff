import { type DataProvider, fetchUtils, type GetListParams } from 'react-admin';
import { tokenOf } from './authProvider';

export interface Claim {
  id: string;
  _id: string;
  createdAt: string;
  user: { username: string; mobile: string };
  purchase: { invest: number };
  amount: number;
  accountNo: string;
  ifsc: string;
  address: string;
  status: 'Pending' | 'Accepted' | 'Paid';
  moves: { to: string }[];
}

const call = (path: string, options: RequestInit = {}) =>
  fetchUtils.fetchJson(path, {
    ...options,
    user: { authenticated: true, token: `Bearer ${tokenOf()}` },
  });

/** The cursor of each page, as returned with the page before: pagination is by cursor, not by offset. */
const cursors = new Map<string, string>();

function queryOf({ pagination, sort, filter }: GetListParams) {
  const query = new URLSearchParams({ limit: String(pagination?.perPage ?? 50) });
  if (sort?.field && sort.field !== 'id') {
    query.set('sort', (sort.order === 'DESC' ? '-' : '') + sort.field.replace(/^.*\./, ''));
  }
  if (filter?.q) query.set('q', filter.q);
  return query;
}

async function getList(_resource: string, params: GetListParams) {
  const query = queryOf(params);
  const list = query.toString();
  const page = params.pagination?.page ?? 1;
  const perPage = params.pagination?.perPage ?? 50;
  const cursor = cursors.get(`${list} ${page}`);
  if (cursor) query.set('cursor', cursor);
  else if (page > 1) query.set('skip', String((page - 1) * perPage));

  const { json, headers } = await call(`/api/claims/all?${query}`, { signal: params.signal });
  const next = /<([^>]+)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  const nextCursor = next && new URL(next, location.href).searchParams.get('cursor');
  if (nextCursor) cursors.set(`${list} ${page + 1}`, nextCursor);

  const total = headers.get('X-Total-Count');
  return {
    data: (json as Claim[]).map((claim) => ({ ...claim, id: claim._id })),
    total: total === null ? undefined : Number(total),
    pageInfo: { hasNextPage: Boolean(next), hasPreviousPage: page > 1 },
  };
}

async function update(_resource: string, { id, data }: { id: unknown; data: { status?: string } }) {
  const body = JSON.stringify({ status: data.status });
  const { json } = await call(`/api/claims/${id}/status`, { method: 'PUT', body });
  return { data: { ...json, id: json._id } };
}

const notNeeded = () => Promise.reject(new Error('The list does not need this'));

export const dataProvider = {
  supportAbortSignal: true,
  getList,
  update,
  getOne: notNeeded,
  getMany: notNeeded,
  getManyReference: notNeeded,
  create: notNeeded,
  delete: notNeeded,
  deleteMany: notNeeded,
  updateMany: notNeeded,
} as unknown as DataProvider;
