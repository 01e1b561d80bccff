import { Day } from '../../text/Day';
import { formatMoment } from '../../text/dates';
import { Money } from '../../text/Money';
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
  cell: ({ createdAt }) => <Day at={createdAt} {...(locale && { locale })} />,
  text: ({ createdAt }) => formatMoment(createdAt),
  sort: 'createdAt',
});

export const nameColumn = <Row,>(width: string, nameOf: (row: Row) => string): Column<Row> => ({
  key: 'name',
  header: 'User Name',
  width,
  look: 'strong',
  text: nameOf,
  sort: 'username',
  opens: true,
});

export const mobileColumn = <Row,>(width: string, mobileOf: (row: Row) => string): Column<Row> => ({
  key: 'mobile',
  header: 'Mobile',
  width,
  look: 'figures',
  text: mobileOf,
  sort: 'mobile',
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
