import { addressOfClient } from '../../page/paths';
import { Day } from '../../text/Day';
import { formatLocalDay, formatMoment } from '../../text/dates';
import { Money } from '../../text/Money';
import { shownName } from '../../text/names';
import { formatRupees } from '../../text/rupees';
import type { Column } from './columns';

/* Columns that several tables have. */

export const dateColumn = <Row extends { createdAt: string }>(
  width: string,
  locale?: string,
): Column<Row> => ({
  key: 'date',
  header: 'Date',
  width,
  look: 'figures',
  cell: ({ createdAt }) => <Day at={createdAt}>{formatLocalDay(createdAt, locale)}</Day>,
  text: ({ createdAt }) => formatMoment(createdAt),
  sort: 'createdAt',
});

interface Person {
  _id: string;
  username: string;
}

/** The name of the client, which links to the client's page. */
export const nameColumn = <Row,>(width: string, personOf: (row: Row) => Person): Column<Row> => ({
  key: 'name',
  header: 'User Name',
  width,
  look: 'strong',
  text: (row) => shownName(personOf(row)),
  sort: 'username',
  sortNeeds: 'numbers.read',
  opens: true,
  href: (row) => addressOfClient(personOf(row)._id),
});

export const mobileColumn = <Row,>(width: string, mobileOf: (row: Row) => string): Column<Row> => ({
  key: 'mobile',
  header: 'Mobile',
  width,
  look: 'figures',
  text: mobileOf,
  sort: 'mobile',
  sortNeeds: 'numbers.read',
  panel: { copy: true },
});

/** `isLoud` marks the one amount of a row that the admin acts on. */
export const amountColumn = <Row,>(
  column: Pick<Column<Row>, 'key' | 'header' | 'width'>,
  amountOf: (row: Row) => number,
  isLoud = false,
): Column<Row> => ({
  ...column,
  align: 'end',
  cell: (row) => <Money amount={amountOf(row)} loud={isLoud} />,
  text: (row) => formatRupees(amountOf(row)),
  sort: column.key,
  ...(isLoud && { panel: { copy: true } }),
});
