import { vi } from 'vitest';
import { type Column, type List, wholeList } from '../ui/table/columns/columns';
import { useView } from '../ui/table/filters/useView';
import type { ViewSchema } from '../ui/table/filters/view';
import { DataTable } from '../ui/table/frame/DataTable';

interface Thing {
  _id: string;
  name: string;
}

const columns: Column<Thing>[] = [
  {
    key: 'name',
    header: 'Name',
    width: '1fr',
    text: (row) => row.name,
    opens: true,
  },
  {
    key: 'act',
    header: 'Action',
    width: '1fr',
    cell: (row) => <button type="button">{`Act on ${row._id}`}</button>,
  },
];
const card = { height: 64, columns: '1fr', areas: '"name" "act"', atEnd: [] };
const schema: ViewSchema = { filters: [], sorts: [], defaultSort: '', columns: ['name', 'act'] };

export const thingsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ _id: `r${index}`, name: `Name ${index}` }));

interface ThingsTableProps {
  rows?: readonly Thing[] | undefined;
  list?: Partial<List<Thing>>;
  isSelectable?: boolean;
}

const matches = {
  counted: undefined,
  isCounting: false,
  isOutdated: false,
  onCountAll: () => undefined,
};

/** A generic table, independent of claims and all other features. */
export function ThingsTable({ rows, list, isSelectable }: ThingsTableProps) {
  const control = useView(schema);
  const rest = { failure: undefined, isLoading: false, reload: vi.fn() };
  return (
    <DataTable
      label="Things"
      noun="thing"
      columns={columns}
      card={card}
      list={{ ...wholeList(rows, rest), ...list }}
      control={control}
      toolbar={{ screen: 'users', searchHint: 'Search things' }}
      {...(isSelectable && { matches })}
      empty={<p>Nothing here yet.</p>}
    />
  );
}
