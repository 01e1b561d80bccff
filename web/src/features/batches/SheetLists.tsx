import { type ReactNode, useId } from 'react';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatCount, formatRupees } from '../../ui/text/rupees';
import styles from './Batches.module.css';
import type { Sheet } from './batchStore';

/** How much will move. The figure is the most prominent, and the amount in words reveals a wrong digit. */
export function SheetSum({ sheet }: { sheet: Sheet }) {
  const { willMove, count, status, reason } = sheet;
  return (
    <>
      <p className="loud-amount">{formatRupees(willMove.amount)}</p>
      <p className={styles.words}>{willMove.amountInWords}</p>
      <p>
        {willMove.count === count
          ? `${count === 1 ? 'The claim' : `All ${formatCount(count)} claims`} will become ${status}.`
          : `${formatCount(willMove.count)} of ${countOf(count, 'claim')} will become ${status}.`}
      </p>
      {reason && <p>{`Reason: ${reason}`}</p>}
    </>
  );
}

const stayText = ({ count }: { count: number }) =>
  count === 1 ? 'It stays as it is.' : 'They stay as they are.';

/** What will not move and why, and what to check twice. */
export function SheetLists({ sheet: { changed, blocked, sameAccount } }: { sheet: Sheet }) {
  if (changed.count + blocked.count + sameAccount.count === 0) return null;
  return (
    <Scrolled label="What to look at first">
      <Listed
        title={`${formatCount(changed.count)} changed since you loaded ${changed.count === 1 ? 'it' : 'them'}`}
        note={stayText(changed)}
        list={changed}
        whyOf={({ status, by, at }) =>
          by && at ? `${by} moved it to ${status} on ${formatMoment(at)}` : `It is now ${status}`
        }
      />
      <Listed
        title={`${formatCount(blocked.count)} cannot move`}
        note={stayText(blocked)}
        list={blocked}
        whyOf={whyNot}
      />
      <Listed
        title="Same account more than once"
        note="They will move."
        list={sameAccount}
        whyOf={({ ifsc, claims }) => `${ifsc} · ${countOf(claims, 'claim')}`}
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

/** A claim, or an account. */
type Item = { amount: number } & (
  | { _id: string; username: string }
  | { accountNo: string; ifsc: string }
);

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
          <li
            key={'_id' in item ? item._id : `${item.accountNo} ${item.ifsc}`}
            className={styles.entry}
          >
            <span className="medium wrap">{'_id' in item ? item.username : item.accountNo}</span>
            <span className="figures">{formatRupees(item.amount)}</span>
            <span className={styles.why}>{whyOf(item)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="small quiet">{`and ${formatCount(more)} more`}</p>}
    </div>
  );
}
