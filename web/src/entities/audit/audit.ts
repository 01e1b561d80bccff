import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { listSource } from '../../api/pages';

export type AuditEntry = Schemas['AuditEntry'];

export const auditList = listSource('audit', '/api/audit', '/api/audit/totals');

export const auditChoices = queryOptions({
  queryKey: ['audit', 'choices'],
  queryFn: ({ signal }) =>
    dataOf<Schemas['AuditChoices']>(api.GET('/api/audit/choices', { signal })),
});

/** How much of the log is sealed, and what still waits. */
export const sealingOptions = queryOptions({
  queryKey: ['audit', 'sealing'],
  queryFn: ({ signal }) => dataOf<Schemas['Sealing']>(api.GET('/api/audit/sealing', { signal })),
});

export const refusedReveals = 'admin.reveals_refused';

/** The newest refusals of the last seven days: admins who asked for more numbers than anybody needs. */
export const refusedRevealsOptions = queryOptions({
  queryKey: ['audit', 'refusedReveals'],
  queryFn: ({ signal }) => {
    const from = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const query = { verb: refusedReveals, from, limit: 50 };
    return dataOf<AuditEntry[]>(api.GET('/api/audit', { params: { query }, signal }));
  },
});
