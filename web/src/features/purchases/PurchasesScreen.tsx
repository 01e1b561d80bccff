import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { useFirstReadsDue } from '../../api/live';
import { useCountedList } from '../../api/pagedList';
import { purchaseAddress, purchaseList } from '../../entities/purchase/purchase';
import { Page } from '../../ui/page/Page';
import { useView } from '../../ui/table/filters/useView';
import type { View } from '../../ui/table/filters/view';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import { PurchasePanel } from './PurchasePanel';
import { purchaseCard, purchaseColumns } from './purchaseColumns';
import { purchaseView } from './purchaseView';

/** The existing values, for the filter menus. */
const purchaseChoices = queryOptions({
  queryKey: ['purchases', 'choices'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/purchases/choices', { signal })),
  staleTime: 300_000,
});

export default function PurchasesScreen({ title }: { title: string }) {
  const control = useView(purchaseView);
  const { list, totals, counting } = useCountedList(purchaseList, control.rowsQuery);
  const isDue = useFirstReadsDue() && list.count !== undefined;
  // Until the choices load, the filter menus offer only the values in the URL.
  const choices = useQuery({ ...purchaseChoices, enabled: isDue }).data;
  const matches = { counted: totals, sum: totals?.invest, ...counting };
  return (
    <Page title={title} summary={<Summary noun="purchase" {...matches} />}>
      <DataTable
        label={title}
        noun="purchase"
        columns={purchaseColumns}
        card={purchaseCard}
        list={list}
        control={control}
        toolbar={{
          screen: 'purchases',
          searchHint: 'Search name, mobile, transaction ID, P-number or external ID',
          choices: choices && { type: choices.claimType, qr: choices.qrName },
          exports: 'purchases',
        }}
        matches={matches}
        address={purchaseAddress}
        panel={(purchase) => <PurchasePanel purchase={purchase} />}
        amountOf={({ invest }) => invest}
        emptySearch={emptySearchOf(control.view)}
        empty={
          <p>
            No client has bought anything yet. Purchases appear here once the service sends them.
          </p>
        }
      />
    </Page>
  );
}

function emptySearchOf(view: View): string | undefined {
  if (!view.filters.findings) return undefined;
  return view.q.trim() || Object.keys(view.filters).length > 1
    ? 'No purchase that needs review matches this search and the other filters.'
    : 'No purchase needs review. One does when its Transaction ID was used before, nearly equals another or names another day, or when its QR code was not on display, until an admin has checked it.';
}
