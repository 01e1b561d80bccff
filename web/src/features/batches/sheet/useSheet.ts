import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from '../../../api/store';
import { type Change, liveChanges } from '../../../entities/claim/liveChanges';
import type { Confirmation } from '../batchStore';
import { matchPasted } from './pasted';
import { type BatchClaim, findFlaws, type Texts } from './references';
import { hasWarning, type WarningCode } from './warnings';

const missingSentence = 'A payment needs its bank reference.';

interface SheetOptions {
  claims: readonly BatchClaim[];
  /** Whether the claims get references, and whether each needs one. */
  hasReferences: boolean;
  needsReference: boolean;
  /** References that were entered before, for another sheet of these claims. */
  entered: Texts;
}

/** What an admin does with the claims of a sheet: filter, remove, type and paste references. */
export function useSheet({ claims, hasReferences, needsReference, entered }: SheetOptions) {
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const [references, setReferences] = useState<Texts>(entered);
  // From the last paste, until the reference is changed.
  const [pasteFlaws, setPasteFlaws] = useState<Texts>({});
  const [trouble, setTrouble] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const [text, setText] = useState('');
  const [kind, setKind] = useState<WarningCode | null>(null);

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
        (!kind || hasWarning(kind)(claim)) && words.every((word) => searched(claim).includes(word)),
    );
  }, [listed, text, kind]);
  const flaws = useMemo(() => {
    if (!hasReferences) return {};
    const missing = isChecked && needsReference ? missingSentence : undefined;
    return { ...findFlaws(kept, references, missing), ...ofKept(pasteFlaws, moved) };
  }, [kept, moved, references, pasteFlaws, isChecked, needsReference, hasReferences]);

  const type = useCallback((id: string, typed: string) => {
    setReferences((now) => ({ ...now, [id]: typed }));
    setPasteFlaws(({ [id]: _, ...others }) => others);
  }, []);
  const remove = useCallback(({ _id }: BatchClaim) => {
    setRemoved((now) => [...now, _id]);
    setPasteFlaws(({ [_id]: _, ...others }) => others);
  }, []);

  const paste = (pasted: string, start: number) => {
    const matched = matchPasted(pasted, listed, inView, start);
    setReferences((now) => ({ ...now, ...matched.references }));
    setPasteFlaws(matched.flaws);
    setTrouble(matched.trouble);
  };
  useReferencePaste(hasReferences ? paste : undefined, inView);

  /** Reports all flaws, also missing references, and returns the first claim that has one. */
  const findFlawed = () => {
    setIsChecked(true);
    const missing = needsReference ? missingSentence : undefined;
    const all = hasReferences
      ? { ...findFlaws(kept, references, missing), ...ofKept(pasteFlaws, moved) }
      : {};
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
    trouble,
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

const ofKept = (flaws: Texts, moved: Texts): Texts =>
  Object.fromEntries(Object.entries(flaws).filter(([id]) => !(id in moved)));

const searched = ({ number, username, accountNo, ifsc, bank }: BatchClaim) =>
  `${number} ${username} ${accountNo} ${ifsc} ${bank}`.toLowerCase();

/** Pasted lines fill the column from the focused reference on, or from its top. One line in a field stays there. */
function useReferencePaste(
  paste: ((text: string, start: number) => void) | undefined,
  inView: readonly BatchClaim[],
) {
  useEffect(() => {
    if (!paste) return;
    const listen = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      const field = event.target instanceof HTMLInputElement ? event.target : null;
      const claimId = field?.dataset.reference;
      const isOneLine = !/[\n\t]/.test(text.trim());
      if (field && (claimId === undefined || isOneLine)) return;
      event.preventDefault();
      paste(
        text,
        Math.max(
          0,
          inView.findIndex(({ _id }) => _id === claimId),
        ),
      );
    };
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  });
}
