import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Ref, type RefObject, useCallback, useImperativeHandle, useState } from 'react';
import { flushSync } from 'react-dom';
import type { RefusedError } from '../../../api/errors';
import { useOpenHere } from '../../../api/live';
import {
  type Claim,
  type ClaimStatus,
  claimAddress,
  claimDetailsKey,
  claimTasks,
  findMove,
  findUndo,
} from '../../../entities/claim/claim';
import { undoables } from '../../../entities/claim/undoable';
import { policyOptions } from '../../../entities/policy/policy';
import { Toast, type ToastAction } from '../../../ui/notices/Toast';
import { stopKeys } from '../../../ui/page/quietKeys';
import type { List } from '../../../ui/table/columns/columns';
import type { TableHandle } from '../../../ui/table/rows/currentRow';
import { newest, placeOf, useOpenedRow } from '../../../ui/table/rows/openedRow';
import { copyBank } from '../panel/bankValues';
import { ClaimPanel } from '../panel/ClaimPanel';
import { type ActionRequest, opensDialog, type Place, type RequestAction } from './actions';
import { ClaimMenu } from './ClaimMenu';
import { type Answer, ClaimQuestion, type Question } from './ClaimQuestion';
import { fieldProblem, isConflict, isNewWarning, whyNotMoved } from './claimChanges';
import { moveClaim, nameOf } from './moveClaim';
import { nextInQueue } from './nextClaim';

interface ClaimActionsProps {
  list: List<Claim>;
  table: RefObject<TableHandle<Claim> | null>;
  queue: ClaimStatus | undefined;
  /** The rows have been shown: they come first. */
  isDue: boolean;
  handle: Ref<RequestAction>;
}

type By = ActionRequest['by'];
interface Message {
  sentence: string;
  number: number;
  action?: ToastAction | undefined;
}
interface OpenedMenu {
  place: Place;
  anchor: HTMLElement;
  returnTo: HTMLElement | null;
  by: By;
}
const silent: Message = { sentence: '', number: 0 };

/** All actions on claims: moves, the dialogs before them, the menu and the panel. */
export function ClaimActions({ list, table, queue, isDue, handle }: ClaimActionsProps) {
  const client = useQueryClient();
  const { data: policy } = useQuery({ ...policyOptions, enabled: isDue });
  const [menu, setMenu] = useState<OpenedMenu | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const [message, setMessage] = useState(silent);

  const say = (sentence: string, action?: ToastAction) =>
    setMessage(({ number }) => ({ sentence, number: number + 1, action }));
  const clearMessage = useCallback(() => setMessage(silent), []);

  const { opened, open, step, close } = useOpenedRow({
    list,
    table,
    address: claimAddress,
    isDue,
    onMissing: (number) => say(`There is no claim ${number}, or it could not be loaded.`),
  });

  /** Moves the focus on. After a click nothing scrolls and the panel stays, or it would change under the pointer. */
  const moveOn = ({ claim, index }: Place, by: By) => {
    // A claim that a link has opened is not in the list, and none follows it.
    if (index < 0) return;
    const next = nextInQueue(list, index, queue ?? claim.status, claimTasks.isBusy);
    if (opened && by === 'key') open(next);
    else if (!opened && by === 'key') table.current?.focusRow(next);
    else if (!opened && !table.current?.focusRow(next, true)) table.current?.focusRow(index, true);
  };

  const reportMoved = (moved: Claim | undefined) => {
    if (moved) say(`${nameOf(moved)} is now ${moved.status}.`, wayBack(moved));
    // The refusal may come from a rule that this browser has not loaded yet.
    else void client.invalidateQueries({ queryKey: policyOptions.queryKey });
  };

  const placeNow = (claim: Claim) => placeOf(list, ({ _id }) => _id === claim._id);

  /** Undo for an Accept or a Reject, Release for a claim put on hold. A payment has none. */
  const wayBack = (moved: Claim): ToastAction | undefined => {
    const move = findUndo(moved) ?? findMove(moved, 'Pending');
    if (!move) return undefined;
    const place = { claim: moved, index: placeNow(moved) };
    const onPress = () => begin(place, move.to, 'pointer');
    if (!move.isUndo) return { label: `${move.label}…`, onPress };
    return { label: 'Undo', hint: 'u', onPress };
  };

  /** Sends the move without waiting for it. Every failure is shown as a notice. */
  const send = (place: Place, target: ClaimStatus, by: By) => {
    // Nothing scrolls under a pointer: for it, the notice has a button.
    const show = () => by === 'key' && table.current?.showRow(placeNow(place.claim));
    const sent = moveClaim(client, { claim: place.claim, target }, { onLost: show });
    moveOn(place, by);
    void sent.then((moved) => {
      if (!moved) show();
      reportMoved(moved);
    });
  };

  const begin = (place: Place, target: ClaimStatus, by: By) => {
    const { claim } = place;
    const isBusy = claimTasks.isBusy(claim._id);
    const move = findMove(claim, target);
    if ((isBusy || !move) && by === 'key' && opensDialog(target)) stopKeys();
    if (isBusy) return;
    if (!move) return say(`${nameOf(claim)} is ${claim.status} and cannot become ${target}.`);
    if (target === 'Paid' || move.needsReason) setQuestion({ place, move, by, isBusy: false });
    else send(place, target, by);
  };

  const answer = async (asked: Question, given: Answer) => {
    const { place, by } = asked;
    const target = asked.move.to;
    let isClosed = false;
    /** Once only: after it, the dialog of the next claim may be open. */
    const closeDialog = () => {
      if (isClosed) return;
      isClosed = true;
      flushSync(() => setQuestion(null));
    };
    let isTaken = false;
    setQuestion({ ...asked, isBusy: true, problem: undefined, refusal: undefined });
    const takes = (error: RefusedError) => {
      if (isClosed) return false;
      const isNew = isNewWarning(error);
      const problem = isNew
        ? error.message
        : fieldProblem(error, target === 'Paid' ? 'reference' : 'reason');
      // The dialog then shows the warning itself, and it can be read before the next Enter.
      if (isNew) void client.invalidateQueries({ queryKey: claimDetailsKey });
      // If another admin was first, the dialog stays open and keeps what was typed.
      const refusal = isConflict(error) ? whyNotMoved(error) : undefined;
      isTaken = problem !== undefined || refusal !== undefined;
      if (isTaken) setQuestion({ ...asked, isBusy: false, problem, refusal });
      return isTaken;
    };
    const moved = await moveClaim(
      client,
      { claim: place.claim, target, ...given },
      { takes, onLost: closeDialog },
    );
    if (isTaken) return;
    // After a late response the admin is already working on something else.
    const isLate = isClosed;
    closeDialog();
    if (moved && !isLate) moveOn(place, by);
    reportMoved(moved);
  };

  const undo = (place: Place | undefined) => {
    const last = undoables.last();
    if (last?.undo) return last.undo();
    const claim = last?.claim ?? place?.claim;
    const move = claim && findUndo(claim);
    if (!move) return say('There is nothing to undo.');
    undoables.forget(claim._id);
    void moveClaim(client, { claim, target: move.to }).then(reportMoved);
    const index = placeNow(claim);
    if (index < 0) return;
    if (opened) open(index);
    else table.current?.focusRow(index);
  };

  const openMenu = (place: Place, by: By, from: HTMLElement | undefined) => {
    const inRow = `[data-row-id="${CSS.escape(place.claim._id)}"] [aria-haspopup="menu"]`;
    const inPanel = 'dialog[open] [aria-haspopup="menu"]';
    const anchor = from ?? document.querySelector<HTMLElement>(opened ? inPanel : inRow);
    if (!anchor) return;
    const returnTo = by === 'key' ? (document.activeElement as HTMLElement | null) : anchor;
    setMenu({ place, anchor, returnTo, by });
  };

  const act: RequestAction = ({ action, place, by, from }) => {
    if (action === 'undo') return undo(place);
    if (!place) return;
    if (action === 'copy') return void copyBank(place.claim).then(say);
    if (action === 'menu') return openMenu(place, by, from);
    if (action === 'open') return open(place.index);
    return begin(place, action, by);
  };

  useImperativeHandle(handle, () => act);

  useOpenHere(opened?.row._id);
  const now = ({ claim, index }: Place) =>
    opened?.row._id === claim._id ? opened.row : newest({ row: claim, index }, list).row;

  const inMenu = menu && (
    <ClaimMenu
      claim={menu.place.claim}
      row={now(menu.place)}
      anchor={menu.anchor}
      returnTo={menu.returnTo}
      onOpen={opened ? undefined : () => open(menu.place.index)}
      onCopy={(claim) => void copyBank(claim).then(say)}
      onMove={(target) => begin(menu.place, target, menu.by)}
      onClose={() => setMenu(null)}
    />
  );

  return (
    <>
      {opened ? (
        <ClaimPanel
          row={opened.row}
          onAct={(request) =>
            act({ ...request, place: { claim: request.claim, index: opened.index } })
          }
          onStep={step}
          onSay={say}
          onClose={() => {
            flushSync(close);
            table.current?.focusRow(opened.index);
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
          // What was typed for one claim is never the answer for another.
          key={`${question.place.claim._id} ${question.move.to}`}
          question={question}
          row={now(question.place)}
          needsReference={policy?.paidNeedsReference ?? false}
          onAnswer={(given) => void answer(question, given)}
          onCancel={() => setQuestion(null)}
        />
      )}
    </>
  );
}
