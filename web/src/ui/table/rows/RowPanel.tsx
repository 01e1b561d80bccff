import type { ReactNode } from 'react';
import { SidePanel } from '../../dialog/SidePanel';
import { Link } from '../../page/address';
import { CopyButton } from '../../text/CopyButton';
import type { Column } from '../columns/columns';
import styles from './RowPanel.module.css';
import { nameOf } from './TableRow';

interface RowPanelProps<Row> {
  row: Row;
  index: number;
  noun: string;
  columns: readonly Column<Row>[];
  address: string | undefined;
  onStep: (rows: number) => void;
  onClose: () => void;
  /** Shown above the fields. */
  children?: ReactNode;
}

/** All fields of one row in full. They are read-only; what can be done is below them, or in the table. */
export function RowPanel<Row>(props: RowPanelProps<Row>) {
  const { row, index, noun, columns, address, onStep, onClose, children } = props;
  const name = nameOf(row, index, columns);
  const href = columns.find(({ opens }) => opens)?.href?.(row);
  return (
    <SidePanel
      title={
        href === undefined ? (
          name
        ) : (
          <Link href={href} className="name-link">
            {name}
          </Link>
        )
      }
      step={{ noun, onStep }}
      {...{ address, onClose }}
    >
      {children}
      <dl className={styles.fields}>
        {columns.map(({ key, header, text, panel }) => {
          const value = text?.(row, index);
          if (!value) return null;
          const label = panel?.header ?? header;
          return (
            <div key={key}>
              <dt>{label}</dt>
              <dd className={styles.value}>
                <span>{value}</span>
                {panel?.copy && <CopyButton what={label} text={value} />}
              </dd>
            </div>
          );
        })}
      </dl>
    </SidePanel>
  );
}
