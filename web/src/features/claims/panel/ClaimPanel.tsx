import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useReading } from '../../../api/pagedList';
import { type Claim, claimDetailsOptions } from '../../../entities/claim/claim';
import { ClaimStatusLabel } from '../../../entities/claim/status';
import { SidePanel } from '../../../ui/dialog/SidePanel';
import { LoadTrouble } from '../../../ui/notices/Alert';
import { Link } from '../../../ui/page/address';
import { addressOfClient } from '../../../ui/page/paths';
import { ExternalId } from '../../../ui/text/ExternalId';
import { shownName } from '../../../ui/text/names';
import { formatRupees } from '../../../ui/text/rupees';
import { type Action, type ActionRequest, actionOfKey } from '../moves/actions';
import { newerClaim } from '../moves/claimChanges';
import { OpenElsewhere } from '../table/ClaimCells';
import { BankDetails } from './BankDetails';
import { bankValues, copyValue, correctedSince } from './bankValues';
import styles from './ClaimPanel.module.css';
import {
  Arithmetic,
  ClaimFacts,
  ClaimTimeline,
  OtherClaims,
  PanelSkeleton,
  Payout,
  Purchases,
} from './ClaimSections';
import { PanelButtons } from './PanelButtons';

interface ClaimPanelProps {
  row: Claim;
  /** Called with the claim that the panel shows, which may be newer than its row. */
  onAct: (request: Omit<ActionRequest, 'place'> & { claim: Claim }) => void;
  onStep: (claims: number) => void;
  onSay: (sentence: string) => void;
  onClose: () => void;
  /** The menu and the announcements are inside the panel, because nothing behind it can be reached. */
  children: ReactNode;
}

/** One claim, with everything that helps to decide on it. */
export function ClaimPanel(props: ClaimPanelProps) {
  const { row, onAct, onStep, onSay, onClose, children } = props;
  const details = useReading(claimDetailsOptions(row._id));
  const isLoading = details.data === undefined && details.failure === undefined;
  const newest = newerClaim(row, details.data);
  const [revealed, setRevealed] = useState({ _id: '', version: 0, accountNo: '' });
  // A claim with another version may have another account.
  const isRevealed = revealed._id === newest._id && revealed.version === newest.version;
  const claim = isRevealed ? { ...newest, accountNo: revealed.accountNo } : newest;
  const isPaid = claim.status === 'Paid';
  const [first, setFirst] = useState(newest);
  if (first._id !== newest._id) setFirst(newest);
  // Of another claim, or of this one before a correction, it would be false.
  const [copied, setCopied] = useState({ _id: '', text: '' });

  const act = (action: Action, by: ActionRequest['by'], from?: HTMLElement) =>
    onAct({ action, claim, by, ...(from && { from }) });

  const copy = async (place: number) => {
    const value = bankValues(claim)[place];
    if (!value) return;
    const { isCopied, sentence } = await copyValue(value);
    setCopied(isCopied ? { _id: claim._id, text: value.text } : { _id: '', text: '' });
    onSay(sentence);
  };

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOfKey[event.key];
    if (['1', '2', '3'].includes(event.key)) void copy(Number(event.key) - 1);
    else if (action && !event.repeat) act(action, 'key');
    else return;
    event.preventDefault();
  };

  return (
    <SidePanel
      title={
        <Link href={addressOfClient(claim.user._id)} className="name-link">
          {shownName(claim.user)}
        </Link>
      }
      address={claim.number}
      step={{ noun: 'claim', onStep }}
      onKeyDown={press}
      onClose={onClose}
    >
      <div className={styles.head}>
        <p className="loud-amount">{formatRupees(claim.amount)}</p>
        <span className="quiet figures">{claim.number}</span>
        <ClaimStatusLabel status={claim.status} />
        <OpenElsewhere id={claim._id} isLong />
      </div>
      <PanelButtons claim={claim} blocked={details.data?.blocked ?? []} onAct={act} />
      <div className={styles.trouble}>
        <LoadTrouble what="The details" isLoaded={details.data !== undefined} reading={details} />
      </div>
      {(details.data || isLoading) && <ClaimFacts facts={details.data?.facts} />}
      {isPaid && <Payout claim={claim} />}
      <BankDetails
        claim={claim}
        corrected={correctedSince(first, newest)}
        copied={copied._id === claim._id ? copied.text : ''}
        onCopy={(place) => void copy(place)}
        onRevealed={(accountNo) =>
          setRevealed({ _id: newest._id, version: newest.version, accountNo })
        }
      />
      {details.data ? (
        <>
          {!isPaid && <Arithmetic sum={details.data.arithmetic} amount={claim.amount} />}
          <ClaimTimeline timeline={details.data.timeline} />
          <Purchases purchases={details.data.purchases} />
          <OtherClaims claims={details.data.otherClaims} />
          <p className={styles.externalId}>
            <ExternalId id={details.data.claim.externalId} />
          </p>
        </>
      ) : (
        isLoading && <PanelSkeleton />
      )}
      {children}
    </SidePanel>
  );
}
