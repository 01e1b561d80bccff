import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { RefusedError } from '../../../api/errors';
import { useOpenHere } from '../../../api/live';
import { type Claim, type ClaimStatus, claimTasks, findMove } from '../../../entities/claim/claim';
import { policyOptions } from '../../../entities/policy/policy';
import { Toast } from '../../../ui/notices/Toast';
import type { List } from '../../../ui/table/columns/columns';
import type { TableHandle } from '../../../ui/table/rows/currentRow';
import { copyBank } from '../panel/BankDetails';
import { ClaimPanel } from '../panel/ClaimPanel';
import { nextInQueue, placeOf } from '../queues/claimQueues';
import type { ActionRequest, Place, RequestAction } from './actions';
import { ClaimMenu } from './ClaimMenu';
import { ClaimQuestion, type Question } from './ClaimQuestion';
import { fieldProblem, isConflict, whyNotMoved } from './claimChanges';
import { forgetAccept, lastAccept, moveClaim, nameOf } from './moveClaim';

interface ClaimActionsProps {
  list: List<Claim>;
  table: RefObject<TableHandle<Claim> | null>;
  queue: ClaimStatus | undefined;
  /** The rows have been shown: they come first. */
  isDue: boolean;
  handle: Ref<RequestAction>;
}

type By = ActionRequest['by'];
const silent = { sentence: '', number: 0 };

/** All actions on claims: moves, the dialogs before them, the menu and the panel. */
export function ClaimActions({ list, table, queue, isDue, handle }: ClaimActionsProps) {
  const client = useQueryClient();
  const { data: policy } = useQuery({ ...policyOptions, enabled: isDue });
  const [opened, setOpened] = useState<Place | null>(null);
  const [menu, setMenu] = useState<{ place: Place; anchor: HTMLElement; by: By } | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [message, setMessage] = useState(silent);
  const back = useRef<HTMLElement | null>(null);

  const say = (sentence: string) => setMessage(({ number }) => ({ sentence, number: number + 1 }));
  const clearMessage = useCallback(() => setMessage(silent), []);

  /** Moves the focus on. After a click nothing scrolls and the panel stays, or it would change under the pointer. */
  const moveOn = ({ claim, index }: Place, by: By) => {
    const next = nextInQueue(list, index, queue ?? claim.status, claimTasks.isBusy);
    if (opened && by === 'key') open(next);
    else if (!opened && by === 'key') table.current?.focusRow(next);
    else if (!opened && !table.current?.focusRow(next, true)) table.current?.focusRow(index, true);
  };

  const open = (index: number) => {
    const claim = list.rowAt(index);
    table.current?.focusRow(index);
    if (claim) setOpened({ claim, index });
  };

  const reportMoved = (moved: Claim | undefined) => {
    if (moved) say(`${nameOf(moved)} is now ${moved.status}.`);
    // The refusal may come from a rule that this browser has not loaded yet.
    else void client.invalidateQueries({ queryKey: policyOptions.queryKey });
  };

  /** Sends the move without waiting for it. Every failure is shown as a notice. */
  const send = (place: Place, target: ClaimStatus, by: By) => {
    const sent = moveClaim(client, { claim: place.claim, target });
    moveOn(place, by);
    void sent.then(reportMoved);
  };

  const begin = (place: Place, target: ClaimStatus, by: By) => {
    const { claim } = place;
    if (claimTasks.isBusy(claim._id)) return;
    const move = findMove(claim, target);
    if (!move) return say(`${nameOf(claim)} is ${claim.status} and cannot become ${target}.`);
    if (target === 'Paid' || move.needsReason) setQuestion({ place, move, by, isBusy: false });
    else send(place, target, by);
  };

  const answer = async (asked: Question, given: { reason?: string; reference?: string }) => {
    const { place, by } = asked;
    const target = asked.move.to;
    const { reason, reference } = given;
    let isClosed = false;
    const close = () => {
      isClosed = true;
      flushSync(() => setQuestion(null));
    };
    if (!reason && !reference) {
      close();
      return send(place, target, by);
    }
    let isTaken = false;
    setQuestion({ ...asked, isBusy: true, problem: undefined, refusal: undefined });
    const takes = (error: RefusedError) => {
      if (isClosed) return false;
      const problem = fieldProblem(error, reason ? 'reason' : 'reference');
      // If another admin was first, the dialog stays open and keeps what was typed.
      const refusal = isConflict(error) ? whyNotMoved(error) : undefined;
      isTaken = problem !== undefined || refusal !== undefined;
      if (isTaken) setQuestion({ ...asked, isBusy: false, problem, refusal });
      return isTaken;
    };
    const moved = await moveClaim(
      client,
      { claim: place.claim, target, ...given },
      { takes, onLost: close },
    );
    if (isTaken) return;
    close();
    if (moved) moveOn(place, by);
    reportMoved(moved);
  };

  const undo = (place: Place | undefined) => {
    const isOwn = place?.claim.status === 'Accepted' && findMove(place.claim, 'Pending');
    const claim = lastAccept() ?? (isOwn ? place.claim : undefined);
    if (!claim) return say('You have no Accept to undo.');
    forgetAccept(claim._id);
    void moveClaim(client, { claim, target: 'Pending' }).then(reportMoved);
    const index = placeOf(list, claim._id);
    if (index < 0) return;
    if (opened) open(index);
    else table.current?.focusRow(index);
  };

  const openMenu = (place: Place, by: By, from: HTMLElement | undefined) => {
    const inRow = `[data-row-id="${CSS.escape(place.claim._id)}"] [aria-haspopup="menu"]`;
    const inPanel = 'dialog[open] [aria-haspopup="menu"]';
    const anchor = from ?? document.querySelector<HTMLElement>(opened ? inPanel : inRow);
    if (!anchor) return;
    back.current = by === 'key' ? (document.activeElement as HTMLElement | null) : anchor;
    setMenu({ place, anchor, by });
  };
  const closeMenu = useCallback(() => {
    back.current?.focus({ preventScroll: true });
    setMenu(null);
  }, []);

  const act: RequestAction = ({ action, place, by, from }) => {
    if (action === 'undo') return undo(place);
    if (!place) return;
    if (action === 'copy') return void copyBank(place.claim).then(say);
    if (action === 'menu') return openMenu(place, by, from);
    if (action === 'open') return open(place.index);
    return begin(place, action, by);
  };

  useImperativeHandle(handle, () => act);

  const shown = opened && newest(opened, list);
  useMarkedRow(shown?.claim._id);
  useOpenHere(shown?.claim._id);

  const inMenu = menu && (
    <ClaimMenu
      claim={menu.place.claim}
      row={newest(menu.place, list).claim}
      anchor={menu.anchor}
      onOpen={shown ? undefined : () => chooseInMenu(() => open(menu.place.index))}
      onCopy={() => chooseInMenu(() => void copyBank(menu.place.claim).then(say))}
      onMove={(target) => chooseInMenu(() => begin(menu.place, target, menu.by))}
      onClose={closeMenu}
    />
  );
  /** Closes the menu and returns the focus, before anything else takes it. */
  const chooseInMenu = (choose: () => void) => {
    flushSync(closeMenu);
    choose();
  };

  return (
    <>
      {shown ? (
        <ClaimPanel
          claim={shown.claim}
          onAct={(action, by, from) => act({ action, place: shown, by, ...(from && { from }) })}
          onStep={(claims) => step(shown.index + claims)}
          onSay={say}
          onClose={() => {
            flushSync(() => setOpened(null));
            table.current?.focusRow(shown.index);
          }}
        >
          {inMenu}
          <Toast message={message} onEnd={clearMessage} />
        </ClaimPanel>
      ) : (
        <>
          {inMenu}
          <Toast message={message} onEnd={clearMessage} />
        </>
      )}
      {question && (
        <ClaimQuestion
          question={question}
          row={newest(question.place, list).claim}
          needsReference={policy?.paidNeedsReference ?? false}
          onAnswer={(given) => void answer(question, given)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </>
  );

  function step(index: number) {
    if (index >= 0 && index < (list.count ?? 0)) open(index);
  }
}

/** The claim as its row has it now, or as it was when opened if its page is no longer loaded. */
function newest(opened: Place, list: List<Claim>): Place {
  const claim = list.rowAt(opened.index);
  return claim?._id === opened.claim._id ? { ...opened, claim } : opened;
}

/** Marks the row of the claim that the panel shows. */
function useMarkedRow(id: string | undefined) {
  useEffect(() => {
    if (id === undefined) return;
    const row = document.querySelector(`[data-row-id="${CSS.escape(id)}"]`);
    row?.setAttribute('aria-current', 'true');
    return () => row?.removeAttribute('aria-current');
  }, [id]);
}
