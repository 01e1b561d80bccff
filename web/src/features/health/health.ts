import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import type { StatusTone } from '../../ui/text/StatusLabel';

export type Check = Schemas['Check'];

export const healthOptions = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => dataOf<Schemas['Health']>(api.GET('/api/health', { signal })),
});

/** Takes up to a minute, so it is only started on request. */
export const dataOptions = queryOptions({
  queryKey: ['health', 'data'],
  queryFn: ({ signal }) => dataOf<Check[]>(api.GET('/api/health/data', { signal })),
  enabled: false,
});

export const stateTones: Record<Check['state'], StatusTone> = {
  fine: 'done',
  note: 'waiting',
  wrong: 'back',
};

/** What has to be done first comes first. */
export const byUrgency = (checks: readonly Check[]) =>
  (['wrong', 'note', 'fine'] as const).flatMap((state) =>
    checks.filter((check) => check.state === state),
  );
