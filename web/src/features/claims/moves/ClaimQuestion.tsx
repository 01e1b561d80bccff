import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { randomHex } from '../../../api/randomHex';
import {
  type Claim,
  type ClaimDetails,
  currentDetailsOptions,
  type Move,
} from '../../../entities/claim/claim';
import { AnswerDialog, reasonAnswer } from '../../../ui/dialog/AnswerDialog';
import { nameInText } from '../../../ui/text/names';
import { formatRupees } from '../../../ui/text/rupees';
import styles from '../panel/ClaimPanel.module.css';
import { ClaimFacts } from '../panel/ClaimSections';
import { type ActionRequest, type Place, questionOf } from './actions';
import { changeSince, newerClaim } from './claimChanges';

export interface Question {
  place: Place;
  move: Move;
  by: ActionRequest['by'];
  isBusy: boolean;
  problem?: string | undefined;
  refusal?: string | undefined;
}

export interface Answer {
  reason?: string;
  reference?: string;
  /** The ids of the warnings that were shown. */
  seen?: string[];
}

interface ClaimQuestionProps {
  question: Question;
  row: Claim;
  needsReference: boolean;
  onAnswer: (given: Answer) => void;
  onCancel: () => void;
}

/** Asks before a move, as long as the claim has not changed since the dialog opened. */
export function ClaimQuestion(props: ClaimQuestionProps) {
  const { question, row, needsReference, onAnswer, onCancel } = props;
  const { move, isBusy, problem, refusal } = question;
  const seen = question.place.claim;
  const [opening] = useState(randomHex);
  const { data: details, failureReason } = useQuery(currentDetailsOptions(seen._id, opening));
  const isLoading = !details && !failureReason;
  const claim = newerClaim(row, details);
  // Of the same version too: what was changed directly in the database has no new one.
  const payee = details?.claim.version === claim.version ? details.claim : claim;
  const toRead = details && textOf(payee, details);
  const [firstRead, setFirstRead] = useState(toRead);
  if (firstRead === undefined && toRead !== undefined) setFirstRead(toRead);
  // While the admin's own move is in progress, its response reports the outcome.
  const change = isBusy ? '' : (refusal ?? changeSince(seen, claim, move.to, details));
  const title = (question: string) => (change ? 'This claim has changed' : question);
  const shared = { confirmLabel: move.label, isSteady: true, isBusy, problem, onClose: onCancel };
  if (move.to !== 'Paid') {
    return (
      <AnswerDialog
        {...shared}
        title={title(questionOf[move.to] ?? move.label)}
        answer={reasonAnswer}
        over={change}
        onConfirm={(reason) => onAnswer({ reason })}
      >
        <Client claim={claim} />
        <p className={styles.questionAmount}>{formatRupees(claim.amount)}</p>
      </AnswerDialog>
    );
  }
  const over = change || whyBlocked(claim, details);
  return (
    <AnswerDialog
      {...shared}
      title={title('Mark as paid?')}
      isGrave
      answer={{
        label: needsReference ? 'Bank reference (UTR)' : 'Bank reference (UTR), optional',
        missing: needsReference ? 'A payment needs its bank reference.' : undefined,
        maxLength: 100,
      }}
      over={over}
      isHeld={isLoading}
      toRead={toRead}
      onConfirm={(reference) => {
        const shown = details?.facts.map(({ id }) => id) ?? [];
        onAnswer({ ...(reference && { reference }), seen: shown });
      }}
    >
      {!over && firstRead !== toRead && (
        <p role="alert" className="odd">
          The warnings or details changed while this was open. Read them again.
        </p>
      )}
      {(details || isLoading) && !change && (
        <div className={styles.questionFacts}>
          <ClaimFacts facts={details?.facts} />
        </div>
      )}
      {!details && !isLoading && (
        <p className="odd">The warnings of this claim could not be loaded.</p>
      )}
      <Client claim={payee} />
      <p className="figures">{`Account ${payee.accountNo} · IFSC ${payee.ifsc}`}</p>
      {payee.bank.name && <p className="quiet">{payee.bank.name}</p>}
      {payee.bank.note && <p className="odd">{payee.bank.note}</p>}
      <p className={styles.questionAmount}>{formatRupees(payee.amount)}</p>
      {!over && <p className="quiet">This cannot be undone.</p>}
    </AnswerDialog>
  );
}

/** Why a rule does not let this admin pay the claim. */
function whyBlocked(claim: Claim, details: ClaimDetails | undefined): string | undefined {
  if (details?.claim.version !== claim.version) return undefined;
  return details.blocked.find(({ status }) => status === 'Paid')?.sentence;
}

/** Everything on which the decision depends. */
const textOf = ({ user, accountNo, ifsc, bank, amount }: Claim, { facts }: ClaimDetails) =>
  JSON.stringify([user, accountNo, ifsc, bank, amount, facts]);

const Client = ({ claim: { user } }: { claim: Claim }) => (
  <p>{`${nameInText(user)} · ${user.mobile}`}</p>
);
