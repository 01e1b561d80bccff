import { SidePanel } from '../../dialog/SidePanel';
import { Link } from '../../page/address';
import { CopyButton } from '../../text/CopyButton';
import type { Column } from '../columns/columns';
import styles from './RowPanel.module.css';

export interface RowLink {
  href: string;
  label: string;
}

interface RowPanelProps<Row> {
  row: Row;
  index: number;
  title: string;
  columns: readonly Column<Row>[];
  /** A link to more details. */
  link?: RowLink | undefined;
  onClose: () => void;
}

/** All fields of one row in full. Read-only: actions are in the table. */
export function RowPanel<Row>(props: RowPanelProps<Row>) {
  const { row, index, title, columns, link, onClose } = props;
  return (
    <SidePanel title={title} onClose={onClose}>
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
            <div key={key} className={styles.field}>
              <dt className={styles.name}>{name}</dt>
              <dd className={styles.value}>
                <span className={styles.text}>{value}</span>
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
