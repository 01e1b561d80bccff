import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from '../../../api/store';
import { type Change, liveChanges } from '../../../entities/claim/liveChanges';
import type { Confirmation } from '../batchStore';
import { type Matched, matchPasted } from './paste/pasted';
import { type BatchClaim, findFlaws, type Texts } from './references';
import { isOfKind, type WarningKind } from './warnings';

const missingSentence = 'A payment needs its bank reference.';

/** A paste that was read, with what the references were before, and the paste that they were from. */
interface AppliedPaste extends Matched {
  before: Texts;
  previous: AppliedPaste | null;
  /** The payment waits until the admin has confirmed what each row got. */
  isAsked: boolean;
}

interface SheetOptions {
  claims: readonly BatchClaim[];
  /** The order of the list that the claims have. */
  sort: string | undefined;
  /** Whether the claims get references, and whether each needs one. */
  hasReferences: boolean;
  needsReference: boolean;
  /** References that were entered before, for another sheet of these claims. */
  entered: Texts;
}

/** What an admin does with the claims of a sheet: filter, remove, type and paste references. */
export function useSheet(options: SheetOptions) {
  const { claims, sort, hasReferences, needsReference, entered } = options;
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [references, setReferences] = useState<Texts>(entered);
  const [applied, setApplied] = useState<AppliedPaste | null>(null);
  const [refusal, setRefusal] = useState<readonly string[]>([]);
  const [isChecked, setIsChecked] = useState(false);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<WarningKind | null>(null);

  const listed = useMemo(
    () => claims.filter(({ _id }) => !removed.includes(_id)),
    [claims, removed],
  );
  // They keep their rows: pasted references are matched by order.
  const moved = useMoved(listed);
  const kept = useMemo(() => listed.filter(({ _id }) => !(_id in moved)), [listed, moved]);
  const inView = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return listed.filter(
      (claim) =>
        (!kind || isOfKind(kind)(claim)) && words.every((word) => searched(claim).includes(word)),
    );
  }, [listed, text, kind]);
  const flaws = useMemo(() => {
    if (!hasReferences) return {};
    return findFlaws(kept, references, isChecked && needsReference ? missingSentence : undefined);
  }, [kept, references, isChecked, needsReference, hasReferences]);

  const type = useCallback((id: string, typed: string) => {
    setReferences((now) => ({ ...now, [id]: typed }));
  }, []);
  const remove = useCallback(({ _id }: BatchClaim) => {
    setRemoved((now) => [...now, _id]);
  }, []);

  const isPasted = ({ _id }: Pick<BatchClaim, '_id'>) =>
    applied !== null && _id in applied.references && references[_id] === applied.references[_id];

  /** All of it or nothing. Nothing is left of an earlier paste, also of claims that were removed from the sheet. */
  const paste = (pasted: string) => {
    const isFiltered = text.trim() !== '' || kind !== null;
    const read = matchPasted(pasted, { claims, listed, moved, isFiltered, sort });
    if ('refusal' in read) return setRefusal(read.refusal);
    setRefusal([]);
    setText('');
    setKind(null);
    const typed = Object.entries(references).filter(([_id]) => !isPasted({ _id }));
    setReferences({ ...Object.fromEntries(typed), ...read.references });
    setApplied({
      ...read,
      before: references,
      previous: applied,
      isAsked: read.question !== '',
    });
  };
  useReferencePaste(hasReferences ? paste : undefined);

  /** A reference that was changed since the paste stays. What the paste before it has asked is asked again. */
  const undoPaste = () => {
    if (!applied) return;
    const { before, previous } = applied;
    const typed = Object.entries(references).filter(([_id]) => !isPasted({ _id }));
    setReferences({ ...before, ...Object.fromEntries(typed) });
    setApplied(previous);
  };

  /** Reports all flaws, also missing references, and returns the first claim that has one. */
  const findFlawed = () => {
    setIsChecked(true);
    const missing = needsReference ? missingSentence : undefined;
    const all = hasReferences ? findFlaws(kept, references, missing) : {};
    return kept.find(({ _id }) => _id in all);
  };
  const confirmation = (): Confirmation => ({
    references: Object.fromEntries(
      kept.flatMap(({ _id }) => {
        const typed = references[_id]?.trim();
        return hasReferences && typed ? [[_id, typed]] : [];
      }),
    ),
    without: [...removed, ...Object.keys(moved)],
  });

  return {
    listed,
    kept,
    moved,
    inView,
    references,
    flaws,
    refusal,
    forgetRefusal: () => setRefusal([]),
    paste: applied && {
      question: applied.isAsked ? applied.question : '',
      count: listed.filter(isPasted).length,
      lines: applied.lines,
      doubts: applied.doubts,
      isOf: isPasted,
      accept: () => setApplied({ ...applied, isAsked: false }),
      undo: undoPaste,
    },
    removedCount: removed.length,
    text,
    kind,
    setText,
    setKind,
    type,
    remove,
    putBack: () => setRemoved([]),
    findFlawed,
    confirmation,
  };
}

/** What others did with these claims since the batch was planned, in words. The server skips such claims. */
function useMoved(claims: readonly BatchClaim[]): Texts {
  const changes = useStore(liveChanges);
  return useMemo(
    () =>
      Object.fromEntries(
        claims.flatMap(({ _id, version }) => {
          const change = changes.get(_id);
          return change && (change.version ?? 0) > version ? [[_id, changeText(change)]] : [];
        }),
      ),
    [claims, changes],
  );
}

const changeText = ({ verb, status, by }: Change) =>
  `${(verb === 'claim.moved' && status) || 'Changed'} by ${by} just now`;

const searched = ({ number, username, accountNo, ifsc, bank }: BatchClaim) =>
  `${number} ${username} ${accountNo} ${ifsc} ${bank}`.toLowerCase();

/** What is pasted, or dropped like that, is read as references, unless it is one line in a field. */
function useReferencePaste(paste: ((text: string) => void) | undefined) {
  useEffect(() => {
    if (!paste) return;
    const read = (event: Event, from: DataTransfer | null) => {
      const text = from?.getData('text') ?? '';
      const field = event.target instanceof HTMLInputElement ? event.target : null;
      const isOneLine = !/[\r\n\t]/.test(text.trim());
      if (field && (field.dataset.reference === undefined || isOneLine)) return;
      event.preventDefault();
      paste(text);
    };
    const onPaste = (event: ClipboardEvent) => read(event, event.clipboardData);
    // A field would join the lines to one reference.
    const onDrop = (event: DragEvent) => read(event, event.dataTransfer);
    document.addEventListener('paste', onPaste);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('paste', onPaste);
      document.removeEventListener('drop', onDrop);
    };
  });
}
