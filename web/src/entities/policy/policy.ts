import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Policy = Schemas['PolicyShown'];
export type Rule = Schemas['PolicyChange']['rule'];
/** Omitted rules stay as they are. */
export type PolicyWish = Partial<Schemas['PolicyWish']>;

export const policyOptions = queryOptions({
  queryKey: ['policy'],
  queryFn: ({ signal }) => dataOf<Policy>(api.GET('/api/policy', { signal })),
});

/** The server refuses a change that would loosen a rule. */
export const tightenPolicy = (wish: PolicyWish) =>
  dataOf<Policy>(api.PUT('/api/policy', { body: wish as Schemas['PolicyWish'] }));
