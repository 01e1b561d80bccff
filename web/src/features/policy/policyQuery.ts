import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';

export type Policy = Schemas['PolicyShown'];
export type Rule = Schemas['PolicyChange']['rule'];
/** What is left out stays as it is. */
export type PolicyWish = Partial<Schemas['PolicyWish']>;

export const policyOptions = queryOptions({
  queryKey: ['policy'],
  queryFn: ({ signal }) => dataOf<Policy>(api.GET('/api/policy', { signal })),
});

/** The server refuses whatever would loosen a rule. */
export const tightenPolicy = (wish: PolicyWish) =>
  dataOf<Policy>(api.PUT('/api/policy', { body: wish as Schemas['PolicyWish'] }));
