import { type KeyboardEvent, memo, type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { CloseButton } from '../../../ui/Button';
import { classes } from '../../../ui/classes';
import { formatCount, formatRupees } from '../../../ui/text/rupees';
import { type BatchClaim, lettersAndDigits, normalised, type Texts } from './references';
import styles from './Sheet.module.css';
import { warningKey } from './warnings';

interface ClaimTableProps {
  claims: readonly BatchClaim[];
  scroller: RefObject<HTMLElement | null>;
  hasWarnings: boolean;
  /** Omitted if the claims get no references. */
  references?: Texts | undefined;
  /** The pasted line that the claim's reference came from, and what is doubtful about it. */
  pastedOf: (
    claim: BatchClaim,
  ) => { line: number | undefined; doubt: string | undefined } | undefined;
  flaws: Texts;
  /** What others did with claims meanwhile. These are left out of the batch. */
  moved: Texts;
  onType: (claimId: string, text: string) => void;
  onRemove: (claim: BatchClaim) => void;
  /** The id of the claim whose reference is typed first. */
  firstId: string | undefined;
  /** Enter was pressed in the last reference. */
  onLast: () => void;
  /** At least this many rows are rendered. */
  atLeast: number;
}

const firstRows = 100;
const moreRows = 200;

/** All claims of the batch. Further rows are rendered when the last ones come near. */
export function ClaimTable(props: ClaimTableProps) {
  const { claims, scroller, hasWarnings, references, pastedOf, flaws, moved } = props;
  const { onType, onRemove, firstId, onLast } = props;
  const [reached, setReached] = useState(firstRows);
  const most = Math.max(reached, props.atLeast);
  const shown = claims.slice(0, most);

  const grow = ({ scrollTop, clientHeight, scrollHeight }: Element) => {
    if (scrollHeight - scrollTop < 3 * clientHeight) setReached(most + moreRows);
  };
  useEffect(() => {
    const element = scroller.current;
    if (!element || claims.length <= most) return;
    // On a phone the dialog scrolls, and not the list in it.
    const box = element.closest('dialog') ?? element;
    const onScroll = ({ target }: Event) =>
      target instanceof Element && target.contains(element) && grow(target);
    box.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => box.removeEventListener('scroll', onScroll, { capture: true });
  });

  /** Enter and the arrow keys move between the references, as in a spreadsheet. No key confirms here. */
  const goToNextRow = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key, currentTarget, nativeEvent } = event;
    // The Enter that ends the input of a composed character belongs to the text.
    if (!(target instanceof HTMLInputElement) || nativeEvent.isComposing) return;
    const step = key === 'Enter' || key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const find = () => {
      const inputs = [...currentTarget.querySelectorAll<HTMLInputElement>('[data-reference]')];
      return inputs[inputs.indexOf(target) + step];
    };
    if (!find() && most < claims.length) flushSync(() => setReached(most + moreRows));
    const next = find();
    if (next) next.focus();
    // What is typed next is not a part of the last reference.
    else if (key === 'Enter') onLast();
  };

  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Claim</th>
          <th scope="col">Name</th>
          <th scope="col">Account</th>
          <th scope="col" className={styles.amount}>
            Amount
          </th>
          {references && <th scope="col">Bank reference (UTR)</th>}
          <th scope="col">
            <span className="visually-hidden">Remove</span>
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={goToNextRow}>
        {shown.map((claim) => (
          <Row
            key={claim._id}
            claim={claim}
            hasWarnings={hasWarnings}
            reference={references && (references[claim._id] ?? '')}
            isFirst={claim._id === firstId}
            line={pastedOf(claim)?.line}
            doubt={pastedOf(claim)?.doubt}
            flaw={flaws[claim._id]}
            moved={moved[claim._id]}
            onType={onType}
            onRemove={onRemove}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Pick<ClaimTableProps, 'hasWarnings' | 'onType' | 'onRemove'> {
  claim: BatchClaim;
  reference: string | undefined;
  isFirst: boolean;
  line: number | undefined;
  doubt: string | undefined;
  flaw: string | undefined;
  moved: string | undefined;
}

const Row = memo(function Row(props: RowProps) {
  const { claim, hasWarnings, reference, isFirst, line, doubt, flaw, moved } = props;
  const { onType, onRemove } = props;
  const { _id, number, username, accountNo, ifsc, bank, amount, sameAccount, warnings } = claim;
  const isWarned = hasWarnings && !moved && warnings.length > 0;
  // What is stored is not what was typed.
  const stored = reference && !flaw ? normalised(reference) : '';
  const isOther = stored !== '' && stored !== lettersAndDigits(reference ?? '');
  const recorded = isOther && `Recorded as ${stored}`;
  const flawId = flaw || doubt ? `flaw-${_id}` : undefined;
  return (
    <>
      <tr data-claim={_id} className={moved && styles.moved}>
        <th scope="row" className={styles.number}>
          {number}
        </th>
        <td className={styles.name}>
          <span className="wrap">{username || 'No name'}</span>
        </td>
        <td className={styles.account}>
          <span className="figures">{accountNo}</span>
          <span className="quiet">{[ifsc, bank].filter(Boolean).join(' · ')}</span>
          {sameAccount > 1 && (
            <span className="quiet">{`${formatCount(sameAccount)} claims to this account`}</span>
          )}
        </td>
        <td className={styles.amount}>{formatRupees(amount)}</td>
        {reference !== undefined && (
          <td className={styles.reference}>
            <input
              aria-label={`Bank reference of ${number}, ${username}`}
              aria-invalid={flaw ? true : undefined}
              aria-describedby={flawId}
              data-reference={_id}
              data-first={isFirst ? '' : undefined}
              placeholder="UTR"
              value={reference}
              maxLength={100}
              readOnly={moved !== undefined}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => onType(_id, target.value)}
            />
            {recorded && <p className="quiet wrap">{recorded}</p>}
            {line !== undefined && <p className="quiet">{`Line ${formatCount(line)}`}</p>}
            {(flaw || doubt) && (
              <p id={flawId} className={classes('wrap', flaw ? styles.flaw : 'odd')}>
                {flaw || doubt}
              </p>
            )}
          </td>
        )}
        <td className={styles.remove}>
          {!moved && (
            <CloseButton
              aria-label={`Remove ${number}, ${username}, ${formatRupees(amount)}`}
              title="Remove from this batch"
              onClick={() => onRemove(claim)}
            />
          )}
        </td>
      </tr>
      {(moved || isWarned) && (
        <tr className={classes(styles.below, moved && styles.moved)}>
          <td />
          <td colSpan={reference === undefined ? 4 : 5}>
            {moved ? (
              <p className="medium wrap">{`${moved}. Left out.`}</p>
            ) : (
              warnings.map(({ code, sentence }) => (
                <p key={code} data-warning={warningKey(claim, code)} className="odd wrap">
                  {sentence}
                </p>
              ))
            )}
          </td>
        </tr>
      )}
    </>
  );
});
