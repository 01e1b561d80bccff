import { type ReactNode, useId } from 'react';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatCount, formatRupees } from '../../ui/text/rupees';
import styles from './Batches.module.css';
import type { Sheet } from './batchStore';

interface SheetSumProps {
  sheet: Sheet;
  /** What is left after the admin has removed claims. */
  count: number;
  amount: number;
}

/** How much will move. The figure is the most prominent, and the amount in words reveals a wrong digit. */
export function SheetSum({ sheet, count, amount }: SheetSumProps) {
  const { willMove, count: chosen, status, reason } = sheet;
  return (
    <>
      <p className="loud-amount">{formatRupees(amount)}</p>
      {count === willMove.count && <p className={styles.words}>{willMove.amountInWords}</p>}
      <p>
        {count === chosen
          ? `${chosen === 1 ? 'The claim' : `All ${formatCount(chosen)} claims`} will become ${status}.`
          : `${formatCount(count)} of ${countOf(chosen, 'claim')} will become ${status}.`}
      </p>
      {reason && <p>{`Reason: ${reason}`}</p>}
    </>
  );
}

const stayText = ({ count }: { count: number }) =>
  count === 1 ? 'It stays as it is.' : 'They stay as they are.';

/** What will not move and why. */
export function SheetLists({ sheet: { changed, blocked } }: { sheet: Sheet }) {
  if (changed.count + blocked.count === 0) return null;
  return (
    <Scrolled label="What will not move">
      <Listed
        title={`${formatCount(changed.count)} changed since you loaded ${changed.count === 1 ? 'it' : 'them'}`}
        note={stayText(changed)}
        list={changed}
        whyOf={({ status, by, at }) =>
          by && at
            ? `${by} moved it to ${status} on ${formatMoment(at)}`
            : `It was changed, and is now ${status}`
        }
      />
      <Listed
        title={`${formatCount(blocked.count)} cannot move`}
        note={stayText(blocked)}
        list={blocked}
        whyOf={whyNot}
      />
    </Scrolled>
  );
}

export function ProblemList({ problems }: { problems: Sheet['problems'] }) {
  return (
    <Scrolled label="Not moved">
      <Listed title={`${formatCount(problems.count)} not moved`} list={problems} whyOf={whyNot} />
    </Scrolled>
  );
}

/** The server sends times in UTC; here they are shown in the admin's time zone. */
const whyNot = ({ why }: { why: string }) => why.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatMoment);

/** Scrolls separately, so that the buttons below stay visible. */
function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={styles.lists}>
      {children}
    </section>
  );
}

interface Item {
  _id: string;
  username: string;
  amount: number;
}

interface ListedProps<Listed extends Item> {
  title: string;
  note?: string;
  /** Only the first items of a long list are sent. */
  list: { count: number; items: readonly Listed[] };
  whyOf: (item: Listed) => string;
}

function Listed<Listed extends Item>({ title, note, list, whyOf }: ListedProps<Listed>) {
  const id = useId();
  const more = list.count - list.items.length;
  if (list.count === 0) return null;
  return (
    <div className={styles.listed}>
      <h3 id={id} className="subheading">
        {title}
        {note && <span className={styles.note}>{note}</span>}
      </h3>
      <ul aria-labelledby={id} className="small">
        {list.items.map((item) => (
          <li key={item._id} className={styles.entry}>
            <span className="medium wrap">{item.username}</span>
            <span className="figures">{formatRupees(item.amount)}</span>
            <span className={styles.why}>{whyOf(item)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small quiet">{`and ${formatCount(more)} more`}</p>}
    </div>
  );
}
