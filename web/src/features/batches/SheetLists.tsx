import { type ReactNode, useId } from 'react';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatCount, formatRupees } from '../../ui/text/rupees';
import styles from './Batches.module.css';
import type { Sheet } from './batchesQuery';

/** How much will move. The figure is the most prominent, and the amount in words reveals a wrong digit. */
export function SheetSum({ sheet }: { sheet: Sheet }) {
  const { willMove, count, status, reason } = sheet;
  return (
    <>
      <p className={styles.amount}>{formatRupees(willMove.amount)}</p>
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

/** What will not move and why, and what to check twice. */
export function SheetLists({ sheet }: { sheet: Sheet }) {
  const { changed, blocked, sameAccount } = sheet;
  if (changed.count + blocked.count + sameAccount.count === 0) return null;
  return (
    <Scrolled label="What to look at first">
      {changed.count > 0 && (
        <Listed
          title={`${formatCount(changed.count)} changed since you loaded ${changed.count === 1 ? 'it' : 'them'}`}
          note={changed.count === 1 ? 'It stays as it is.' : 'They stay as they are.'}
          more={changed.count - changed.items.length}
        >
          {changed.items.map(({ _id, username, amount, status, by, at }) => (
            <Entry key={_id} name={username} amount={amount}>
              {by && at
                ? `${by} moved it to ${status} on ${formatMoment(at)}`
                : `It is now ${status}`}
            </Entry>
          ))}
        </Listed>
      )}
      {blocked.count > 0 && (
        <Listed
          title={`${formatCount(blocked.count)} cannot move`}
          note={blocked.count === 1 ? 'It stays as it is.' : 'They stay as they are.'}
          more={blocked.count - blocked.items.length}
        >
          {blocked.items.map(({ _id, username, amount, why }) => (
            <Entry key={_id} name={username} amount={amount}>
              {withLocalTimes(why)}
            </Entry>
          ))}
        </Listed>
      )}
      {sameAccount.count > 0 && (
        <Listed
          title="Same account more than once"
          note="They will move."
          more={sameAccount.count - sameAccount.items.length}
        >
          {sameAccount.items.map(({ accountNo, ifsc, claims, amount }) => (
            <Entry key={`${accountNo} ${ifsc}`} name={accountNo} amount={amount}>
              {`${ifsc} · ${countOf(claims, 'claim')}`}
            </Entry>
          ))}
        </Listed>
      )}
    </Scrolled>
  );
}

export function ProblemList({ problems }: { problems: Sheet['problems'] }) {
  return (
    <Scrolled label="Not moved">
      <Listed
        title={`${formatCount(problems.count)} not moved`}
        more={problems.count - problems.items.length}
      >
        {problems.items.map(({ _id, username, amount, why }) => (
          <Entry key={_id} name={username} amount={amount}>
            {withLocalTimes(why)}
          </Entry>
        ))}
      </Listed>
    </Scrolled>
  );
}

/** Scrolls separately, so that the buttons below stay visible. */
function Scrolled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className={styles.lists}>
      {children}
    </section>
  );
}

interface ListedProps {
  title: string;
  note?: string;
  /** The number of claims that are not listed. */
  more: number;
  children: ReactNode;
}

function Listed({ title, note, more, children }: ListedProps) {
  const id = useId();
  return (
    <div className={styles.listed}>
      <h3 id={id} className={styles.heading}>
        {title}
        {note && <span className={styles.note}>{note}</span>}
      </h3>
      <ul aria-labelledby={id} className={styles.list}>
        {children}
      </ul>
      {more > 0 && <p className={styles.note}>{`and ${formatCount(more)} more`}</p>}
    </div>
  );
}

/** The server sends times in UTC; here they are shown in the admin's time zone. */
const withLocalTimes = (why: string) => why.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, formatMoment);

function Entry({ name, amount, children }: { name: string; amount: number; children: string }) {
  return (
    <li className={styles.entry}>
      <span className={styles.name}>{name}</span>
      <span className={styles.figure}>{formatRupees(amount)}</span>
      <span className={styles.why}>{children}</span>
    </li>
  );
}
