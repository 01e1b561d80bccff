import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/dialog/Dialog';
import { countOf, formatCount, shortRupees, sumRupees } from '../../../ui/text/rupees';
import { batchStore, type Confirmation, type Draft, type Sheet } from '../batchStore';
import { actionText } from '../batchTexts';
import { SheetLists, SheetSum } from '../SheetLists';
import { ClaimTable } from './ClaimTable';
import { PasteNotices } from './PasteNotices';
import type { BatchClaim } from './references';
import styles from './Sheet.module.css';
import { SheetFilters } from './SheetFilters';
import { useSeen } from './useSeen';
import { useSheet } from './useSheet';
import { WarningList } from './WarningList';
import { isWarnedOf, warningKey } from './warnings';

const pasteHint = 'Paste the copied rows with their references, or the references alone.';

const cancel = () => batchStore.setDraft(null);

interface SheetDialogProps {
  draft: Draft;
  sheet: Sheet;
  onConfirm: (confirmation: Confirmation) => void;
}

/** Every claim that will move, with its warnings. A payment waits until all warnings have been in view. */
export function SheetDialog({ draft, sheet, onConfirm }: SheetDialogProps) {
  const { target, claims = [], sort, entered = {} } = draft;
  const isPayment = target === 'Paid';
  const hasWarnings = isWarnedOf(target);
  const state = useSheet({
    claims,
    sort,
    hasReferences: isPayment,
    needsReference: sheet.needsReference,
    entered,
  });
  const { kept, moved, flaws, paste, removedCount } = state;
  const scroller = useRef<HTMLElement>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const unseenOf = useSeen(scroller);
  const [isListing, setIsListing] = useState(false);
  const [firstIndex] = useState(() => claims.findIndex(({ _id }) => !entered[_id]));
  const [atLeast, setAtLeast] = useState(firstIndex + 1);

  const warned = hasWarnings ? kept.filter(({ warnings }) => warnings.length > 0) : [];
  const unseen = isPayment ? unseenOf(warned) : [];
  const flawed = Object.keys(flaws).length;
  const movedCount = Object.keys(moved).length;
  const enteredCount = kept.filter(({ _id }) => state.references[_id]?.trim()).length;
  const amount =
    kept.length < claims.length ? sumRupees(kept, (claim) => claim.amount) : sheet.willMove.amount;

  /** Shows the row of the claim, and then what `selector` finds in it. */
  const goTo = (claim: BatchClaim, selector: string, then: (found: HTMLElement) => void) => {
    setIsListing(false);
    setAtLeast(state.listed.indexOf(claim) + 1);
    state.setText('');
    state.setKind(null);
    requestAnimationFrame(() => {
      const found = scroller.current?.querySelector<HTMLElement>(selector);
      if (found) then(found);
    });
  };
  const confirm = () => {
    const first = state.findFlawed();
    if (!first) return onConfirm(state.confirmation());
    goTo(first, `[data-reference="${first._id}"]`, (field) => field.focus());
  };
  const showUnseen = () => {
    const [first] = unseen;
    const keys = first?.warnings.map(({ code }) => warningKey(first, code)) ?? [];
    if (first)
      goTo(first, keys.map((key) => `[data-warning="${key}"]`).join(), (warning) =>
        warning.scrollIntoView({ block: 'center' }),
      );
  };
  const pastedOf = (claim: BatchClaim) =>
    paste?.isOf(claim)
      ? { line: paste.lines[claim._id], doubt: paste.doubts[claim._id] }
      : undefined;
  const focusRows = () => scroller.current?.focus({ preventScroll: true });
  const remove = (claim: BatchClaim) => {
    state.remove(claim);
    // The button is gone with its row.
    focusRows();
  };
  const scrollToTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.closest('dialog')?.scrollTo({ top: 0 });
  }, []);
  const listWarnings = () => {
    setIsListing(!isListing);
    scrollToTop();
  };
  useEffect(() => {
    if (firstIndex > 0)
      scroller.current?.querySelector('[data-first]')?.scrollIntoView({ block: 'nearest' });
  }, [firstIndex]);
  const question = paste?.question ?? '';
  // What a paste has done is said above the rows.
  const isAnswering = question !== '' || state.refusal.length > 0;
  useEffect(() => {
    if (!isAnswering) return;
    setIsListing(false);
    scrollToTop();
  }, [isAnswering, scrollToTop]);

  return (
    <Dialog
      title={titleOf(draft, kept.length, warned.length)}
      isWide="table"
      onClose={cancel}
      confirm={{
        label: `${actionText(target, kept.length)} · ${shortRupees(amount)}`,
        isGrave: true,
        isHeld: unseen.length > 0 || kept.length === 0 || question !== '',
        isOnButtonOnly: true,
        onConfirm: confirm,
      }}
      action={
        warned.length > 0 && (
          <Button onClick={listWarnings}>
            {isListing ? 'Show the claims' : 'List all warnings'}
          </Button>
        )
      }
      fields={
        <>
          <div className={styles.staying}>
            <SheetLists sheet={sheet} />
          </div>
          {!isListing && <SheetFilters state={state} warned={warned} />}
          <PasteNotices state={state} onAnswered={focusRows} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
          <section ref={scroller} aria-label="Claims" tabIndex={0} className={styles.scroller}>
            {isListing ? (
              <WarningList claims={warned} />
            ) : (
              <ClaimTable
                claims={state.inView}
                scroller={scroller}
                atLeast={atLeast}
                hasWarnings={hasWarnings}
                references={isPayment ? state.references : undefined}
                pastedOf={pastedOf}
                flaws={flaws}
                moved={moved}
                onType={state.type}
                onRemove={remove}
                firstId={claims[firstIndex]?._id}
                onLast={() => status.current?.focus()}
              />
            )}
            {!isListing && state.inView.length === 0 && (
              <p className={styles.none}>
                {kept.length === 0 ? 'No claim is left in this batch.' : 'No claim matches.'}
              </p>
            )}
          </section>
          {/* After the last reference it has the focus: the next Tab leads to the buttons. */}
          <p ref={status} role="status" tabIndex={-1} className={styles.status}>
            {[
              isPayment &&
                (enteredCount === 0
                  ? pasteHint
                  : `${formatCount(enteredCount)} of ${countOf(kept.length, 'reference')} entered.`),
              movedCount > 0 && `${countOf(movedCount, 'claim')} changed meanwhile, left out.`,
              removedCount > 0 && `${formatCount(removedCount)} removed from this batch.`,
              flawed > 0 && `${countOf(flawed, 'reference')} to check.`,
              paste && paste.count > 0 && `${countOf(paste.count, 'reference')} pasted.`,
              unseen.length > 0 &&
                `${countOf(unseen.length, 'claim')} with warnings not looked at yet.`,
            ]
              .filter(Boolean)
              .join(' ')}
            {unseen.length > 0 && (
              <Button look="link" onClick={showUnseen}>
                Go to the next
              </Button>
            )}
            {paste && paste.count > 0 && !question && (
              <Button look="link" onClick={paste.undo}>
                Undo the paste
              </Button>
            )}
            {removedCount > 0 && (
              <Button look="link" onClick={state.putBack}>
                Put back
              </Button>
            )}
          </p>
        </>
      }
    >
      <SheetSum sheet={sheet} count={kept.length} amount={amount} />
      {isPayment && <p className="quiet">This cannot be undone.</p>}
    </Dialog>
  );
}

function titleOf({ target }: Draft, count: number, warned: number): string {
  const action = `${actionText(target, count)}?`;
  if (warned === 0) return action;
  return `${action} ${formatCount(warned)} ${warned === 1 ? 'has' : 'have'} warnings`;
}
