import { SidePanel } from '../../dialog/SidePanel';
import { Link } from '../../page/address';
import { CopyButton } from '../../text/CopyButton';
import type { Column } from '../columns/columns';
import styles from './RowPanel.module.css';
import { nameOf } from './TableRow';

export interface RowLink {
  href: string;
  label: string;
}

interface RowPanelProps<Row> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  link?: RowLink | undefined;
  onClose: () => void;
}

/** All fields of one row in full. Read-only: actions are in the table. */
export function RowPanel<Row>(props: RowPanelProps<Row>) {
  const { row, index, columns, link, onClose } = props;
  return (
    <SidePanel title={nameOf(row, index, columns)} onClose={onClose}>
      {link && (
        <Link href={link.href} className={styles.link}>
          {link.label}
        </Link>
      )}
      <dl className={styles.fields}>
        {columns.map(({ key, header, text, panel }) => {
          const value = text?.(row, index);
          if (!value) return null;
          const name = panel?.header ?? header;
          return (
            <div key={key}>
              <dt>{name}</dt>
              <dd className={styles.value}>
                <span>{value}</span>
                {panel?.copy && <CopyButton what={name} text={value} />}
              </dd>
              {panel?.notes?.(row).map((note) => (
                <dd key={note} className={styles.note}>
                  {note}
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </SidePanel>
  );
}
