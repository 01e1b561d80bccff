import { api, dataOf } from '../../api/client';
import type { Purchase } from '../../entities/purchase/purchase';

const at = ({ _id }: Purchase) => ({ params: { path: { purchase_id: _id } } });

/** Sends what was on the screen: anything found meanwhile is not settled by it. */
export const settleFindings = (purchase: Purchase, note: string) =>
  dataOf<Purchase>(
    api.PUT('/api/purchases/{purchase_id}/checked', {
      ...at(purchase),
      body: { note, findings: purchase.findings.map(({ code }) => code) },
    }),
  );

export const reopenFindings = (purchase: Purchase) =>
  dataOf<Purchase>(api.DELETE('/api/purchases/{purchase_id}/checked', at(purchase)));
