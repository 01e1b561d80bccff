import { useMemo } from 'react';
import { useList } from '../../api/list';
import { Page } from '../../ui/Page';
import { countOf, formatRupees, sumRupees } from '../../ui/rupees';
import { DataTable } from '../../ui/table/DataTable';
import { purchaseCards, purchaseColumns } from './purchaseColumns';
import { type Purchase, purchasesQuery } from './purchasesQuery';

const idOf = (purchase: Purchase) => purchase._id;

function summaryOf(purchases: readonly Purchase[]): string {
  const total = formatRupees(sumRupees(purchases, (purchase) => purchase.invest));
  return `${total} invested in ${countOf(purchases.length, 'purchase')}`;
}

export default function PurchasesScreen() {
  const list = useList(purchasesQuery);
  const summary = useMemo(() => list.rows && summaryOf(list.rows), [list.rows]);
  return (
    <Page title="Client Data" summary={summary}>
      <DataTable
        label="Client Data"
        noun="purchase"
        columns={purchaseColumns}
        cards={purchaseCards}
        list={list}
        idOf={idOf}
        empty={
          <p>
            No client has bought anything yet. Purchases appear here once the service sends them.
          </p>
        }
      />
    </Page>
  );
}
