import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { useFirstReadsDue } from '../../api/live';
import { listSource } from '../../api/pages';
import type { RowAddress } from '../../ui/table/rows/openedRow';

export type Purchase = Schemas['Purchase'];
export type PurchaseDetails = Schemas['PurchaseDetails'];
export type Proof = Schemas['Proof'];

export const purchaseList = listSource('purchases', '/api/purchases/all', '/api/purchases/totals');

export const purchaseAddress: RowAddress<Purchase> = {
  of: ({ number }) => number,
  find: async (number) => {
    const query = { number, limit: 1 };
    const found = await dataOf<Purchase[]>(api.GET('/api/purchases/all', { params: { query } }));
    return found[0];
  },
};

/** One purchase, and the purchases that its findings are about. */
export const purchaseDetailsOptions = (purchase_id: string) =>
  queryOptions({
    queryKey: ['purchases', 'details', purchase_id],
    queryFn: ({ signal }) =>
      dataOf<PurchaseDetails>(
        api.GET('/api/purchases/{purchase_id}/details', {
          params: { path: { purchase_id } },
          signal,
        }),
      ),
  });

/** It has findings that nobody has checked. */
export const needsReview = ({ findings, isChecked }: Purchase) => findings.length > 0 && !isChecked;

const toReview = { review: 'only' };

/**
 * How many purchases need review, as a short text; undefined while it is not known. Read while it
 * is shown.
 */
export function useReviewCount(isShown: boolean): string | undefined {
  const isDue = useFirstReadsDue();
  const { data } = useQuery({
    // The key of the totals of that filter, so that live updates refresh it too.
    queryKey: [purchaseList.noun, 'totals', toReview, false],
    queryFn: ({ signal }) => purchaseList.readTotals(toReview, signal),
    enabled: isShown && isDue,
  });
  if (!data) return undefined;
  return data.isExact
    ? data.count.toLocaleString('en-IN')
    : `${data.count.toLocaleString('en-IN')}+`;
}
