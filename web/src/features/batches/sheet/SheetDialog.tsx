import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/dialog/Dialog';
import { Alert } from '../../../ui/notices/Alert';
import { countOf, formatCount, shortRupees, sumRupees } from '../../../ui/text/rupees';
import { batchStore, type Confirmation, type Draft, type Sheet } from '../batchStore';
import { actionText } from '../batchTexts';
import { SheetLists, SheetSum } from '../SheetLists';
import { ClaimTable } from './ClaimTable';
import type { BatchClaim } from './references';
import styles from './Sheet.module.css';
import { useSheet } from './useSheet';
import { WarningList } from './WarningList';
import { byKind, isWarnedOf, warningKey, warningNames } from './warnings';

const pasteHint = 'Paste a column of references, or two columns: claim number and reference.';

const cancel = () => batchStore.setDraft(null);

interface SheetDialogProps {
  draft: Draft;
  sheet: Sheet;
  onConfirm: (confirmation: Confirmation) => void;
}

/** Every claim that will move, with its warnings. A payment waits until all warnings have been in view. */
export function SheetDialog({ draft, sheet, onConfirm }: SheetDialogProps) {
  const { target, claims = [], entered = {} } = draft;
  const isPayment = target === 'Paid';
  const hasWarnings = isWarnedOf(target);
  const state = useSheet({
    claims,
    hasReferences: isPayment,
    needsReference: sheet.needsReference,
    entered,
  });
  const { kept, moved, flaws, trouble, removedCount } = state;
  const scroller = useRef<HTMLElement>(null);
  const unseenOf = useSeen(scroller);
  const [isListing, setIsListing] = useState(false);
  const [atLeast, setAtLeast] = useState(0);

  const warned = hasWarnings ? kept.filter(({ warnings }) => warnings.length > 0) : [];
  const unseen = isPayment ? unseenOf(warned) : 0;
  const flawed = Object.keys(flaws).length;
  const movedCount = Object.keys(moved).length;
  const isEmpty = Object.values(state.references).every((typed) => !typed);
  const amount =
    kept.length < claims.length ? sumRupees(kept, (claim) => claim.amount) : sheet.willMove.amount;

  const confirm = () => {
    const first = state.findFlawed();
    if (!first) return onConfirm(state.confirmation());
    setIsListing(false);
    setAtLeast(state.listed.indexOf(first) + 1);
    state.setText('');
    state.setKind(null);
    requestAnimationFrame(() => {
      const row = scroller.current?.querySelector(`[data-reference="${first._id}"]`);
      if (row instanceof HTMLElement) row.focus();
    });
  };
  const remove = (claim: BatchClaim) => {
    state.remove(claim);
    // The button is gone with its row.
    scroller.current?.focus({ preventScroll: true });
  };
  const listWarnings = () => {
    setIsListing(!isListing);
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.closest('dialog')?.scrollTo({ top: 0 });
  };

  return (
    <Dialog
      title={titleOf(draft, kept.length, warned.length)}
      isWide="table"
      onClose={cancel}
      confirm={{
        label: `${actionText(target, kept.length)} · ${shortRupees(amount)}`,
        isGrave: true,
        isHeld: unseen > 0 || kept.length === 0,
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
          {!isListing && <Filters state={state} warned={warned} />}
          {trouble && <Alert tone="bad">{trouble}</Alert>}
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
                flaws={flaws}
                moved={moved}
                onType={state.type}
                onRemove={remove}
              />
            )}
            {!isListing && state.inView.length === 0 && (
              <p className={styles.none}>
                {kept.length === 0 ? 'No claim is left in this batch.' : 'No claim matches.'}
              </p>
            )}
          </section>
          <p role="status" className={styles.status}>
            {[
              isPayment && isEmpty && pasteHint,
              movedCount > 0 && `${countOf(movedCount, 'claim')} changed meanwhile, left out.`,
              removedCount > 0 && `${formatCount(removedCount)} removed from this batch.`,
              flawed > 0 && `${countOf(flawed, 'reference')} to check.`,
              unseen > 0 && `${countOf(unseen, 'claim')} with warnings not looked at yet.`,
            ]
              .filter(Boolean)
              .join(' ')}
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

interface FiltersProps {
  state: ReturnType<typeof useSheet>;
  warned: readonly BatchClaim[];
}

function Filters({ state, warned }: FiltersProps) {
  const kinds = byKind(warned);
  return (
    <div className={styles.filters}>
      <input
        type="search"
        aria-label="Filter these claims"
        placeholder="Name, number, account, bank"
        value={state.text}
        onChange={({ target }) => state.setText(target.value)}
        // Enter in a text field would confirm.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      />
      {kinds.length > 0 && (
        <fieldset aria-label="Warnings" className={styles.kinds}>
          {kinds.map(([code, claims]) => (
            <Button
              key={code}
              size="row"
              aria-pressed={state.kind === code}
              onClick={() => state.setKind(state.kind === code ? null : code)}
            >
              {`${warningNames[code]} ${formatCount(claims.length)}`}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Counts the claims with a warning that has not been in view yet, each sentence whole: in the table or in the list. */
function useSeen(scroller: RefObject<HTMLElement | null>) {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const root = scroller.current;
    if (!root || typeof IntersectionObserver === 'undefined') return;
    const see = (entries: readonly IntersectionObserverEntry[]) => {
      const keys = entries
        .filter(({ isIntersecting }) => isIntersecting)
        .map(({ target }) => (target as HTMLElement).dataset.warning ?? '');
      setSeen((now) => (keys.every((key) => now.has(key)) ? now : new Set([...now, ...keys])));
    };
    let observer: IntersectionObserver | undefined;
    const observeAll = () => {
      for (const one of root.querySelectorAll('[data-warning]')) observer?.observe(one);
    };
    const start = () => {
      observer?.disconnect();
      // On a phone the buttons are above the rows, and what is behind them has not been read.
      const buttons = root.closest('dialog')?.lastElementChild?.getBoundingClientRect();
      const covered = buttons ? Math.max(0, window.innerHeight - buttons.top) : 0;
      // In the window, because in a low one the dialog itself is cut off too.
      observer = new IntersectionObserver(see, {
        threshold: 0.95,
        rootMargin: `0px 0px -${covered}px`,
      });
      observeAll();
    };
    // Rows come and go: more of a long table, the list of warnings, a filter.
    const changes = new MutationObserver(observeAll);
    changes.observe(root, { childList: true, subtree: true });
    window.addEventListener('resize', start);
    start();
    return () => {
      window.removeEventListener('resize', start);
      changes.disconnect();
      observer?.disconnect();
    };
  }, [scroller]);
  const isSeen = (claim: BatchClaim) =>
    claim.warnings.every(({ code }) => seen.has(warningKey(claim, code)));
  return (claims: readonly BatchClaim[]) => claims.filter((claim) => !isSeen(claim)).length;
}
