import { type Theme, useMediaQuery } from '@mui/material';
import {
  DataTable,
  DateField,
  InfiniteList,
  List,
  NumberField,
  Pagination,
  SearchInput,
  SimpleList,
} from 'react-admin';
import { ClaimActions } from './ClaimActions';
import type { Claim } from './dataProvider';

const newestFirst = { field: 'createdAt', order: 'DESC' } as const;
const filters = [<SearchInput key="q" source="q" alwaysOn />];
const pages = <Pagination rowsPerPageOptions={[50, 100]} />;
const rupees = { style: 'currency', currency: 'INR' } as const;

export const ClaimList = () => (
  <List sort={newestFirst} perPage={50} filters={filters} pagination={pages} exporter={false}>
    <Claims />
  </List>
);

export const EndlessClaimList = () => (
  <InfiniteList sort={newestFirst} perPage={50} filters={filters} exporter={false}>
    <Claims />
  </InfiniteList>
);

/** A table; on a phone, the list that react-admin's documentation recommends there. */
function Claims() {
  const isSmall = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  if (isSmall) {
    return (
      <SimpleList<Claim>
        primaryText={(claim) => `${claim.user.username} · ${claim.user.mobile}`}
        secondaryText={(claim) => (
          <>
            {claim.accountNo} · {claim.ifsc} · {claim.address}
            <NumberField source="purchase.invest" options={rupees} /> <DateField source="createdAt" />
            <ClaimActions />
          </>
        )}
        tertiaryText={() => <NumberField source="amount" options={rupees} />}
        rowClick={false}
      />
    );
  }
  return (
    <DataTable bulkActionButtons={false} rowClick={false}>
      <DataTable.Col source="createdAt" label="Date" field={DateField} />
      <DataTable.Col source="user.username" label="User Name" />
      <DataTable.Col source="user.mobile" label="Mobile" />
      <DataTable.NumberCol source="purchase.invest" label="Invest" options={rupees} />
      <DataTable.NumberCol source="amount" label="Amount" options={rupees} />
      <DataTable.Col source="accountNo" label="Account No" />
      <DataTable.Col source="ifsc" label="IFSC" />
      <DataTable.Col source="address" label="Address" />
      <DataTable.Col label="Action">
        <ClaimActions />
      </DataTable.Col>
    </DataTable>
  );
}
