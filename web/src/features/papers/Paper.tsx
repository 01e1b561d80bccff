import type { ReactNode } from 'react';
import { Button } from '../../ui/Button';
import { Logo } from '../../ui/icons/Logo';
import { Page } from '../../ui/page/Page';
import styles from './Paper.module.css';

interface PaperProps {
  title: string;
  /** Shown beside the Print button, and not printed. */
  tools?: ReactNode;
  /** Shown instead of the sheet while there is nothing to print. */
  instead?: ReactNode;
  /** The line at the end of the sheet. */
  footer?: string | undefined;
  children?: ReactNode;
}

/** A screen that is made to be printed: without the header, the menu and the buttons, black on white. */
export function Paper({ title, tools, instead, footer, children }: PaperProps) {
  return (
    <Page title={title} scroll="document">
      <div className={styles.tools}>
        {tools}
        {!instead && (
          <Button look="filled" title="Also saves a PDF" onClick={() => window.print()}>
            Print
          </Button>
        )}
      </div>
      {instead ?? (
        <article aria-label={title} className={styles.sheet}>
          <p className={styles.brand}>
            <Logo />
            Countinghouse
          </p>
          {children}
          <p className={styles.footer}>{footer}</p>
        </article>
      )}
    </Page>
  );
}

/** Labels and values, one below the other. */
export function Particulars({ lines }: { lines: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.particulars}>
      {lines.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface PaperColumn<Row> {
  header: string;
  cell: (row: Row) => string;
  /** A date or a number: it is never broken into two lines. */
  isShort?: boolean;
}

interface PaperTableProps<Row> {
  title: string;
  /** Whose table it is. Printed above its header, which each page repeats. */
  owner: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The last one holds the amounts. */
  columns: readonly PaperColumn<Row>[];
  total: string;
}

export function PaperTable<Row>(props: PaperTableProps<Row>) {
  const { title, owner, rows, keyOf, columns, total } = props;
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className="heading">{title}</h2>
      {rows.length === 0 ? (
        <p className="small quiet">None in this period.</p>
      ) : (
        <table className={styles.table} aria-label={title}>
          <thead>
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row cannot be focused */}
            <tr aria-hidden="true" className={styles.owner}>
              <th colSpan={columns.length}>{owner}</th>
            </tr>
            <tr>
              {columns.map(({ header, isShort }) => (
                <th key={header} scope="col" data-short={isShort}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={keyOf(row)}>
                {columns.map(({ header, cell, isShort }) => (
                  <td key={header} data-label={header} data-short={isShort}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={columns.length - 1}>
                Total
              </th>
              <td>{total}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}
