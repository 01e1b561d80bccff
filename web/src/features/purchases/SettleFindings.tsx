import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { isOutcomeUnknown, sentencesOf } from '../../api/errors';
import { changeRow } from '../../api/pages';
import { needsReview, type Purchase, purchaseList } from '../../entities/purchase/purchase';
import { Button } from '../../ui/Button';
import { AnswerField } from '../../ui/form/AnswerField';
import { useMay } from '../../ui/may';
import { Alert, Lines } from '../../ui/notices/Alert';
import { formatMoment } from '../../ui/text/dates';
import styles from './SettleFindings.module.css';
import { reopenFindings, settleFindings } from './settling';

const lost = 'No answer came back. Try again: nothing is recorded twice.';

interface SettleFindingsProps {
  purchase: Purchase;
  /** What the findings are about. */
  children?: ReactNode;
}

/** In the panel of a purchase with findings: the findings, then who has checked them, or the form to do so. */
export function SettleFindings({ purchase, children }: SettleFindingsProps) {
  const mayCheck = useMay()('purchases.check');
  if (purchase.findings.length === 0) return null;
  const isDue = needsReview(purchase);
  return (
    <section className={styles.section} aria-label="Review">
      <h3 className="subheading">{isDue ? 'Needs review' : 'Checked'}</h3>
      {purchase.findings.map(({ sentence }) => (
        <p key={sentence} className={styles.finding}>
          {sentence}
        </p>
      ))}
      {children}
      <LastCheck purchase={purchase} />
      {mayCheck && (isDue ? <CheckForm purchase={purchase} /> : <Reopen purchase={purchase} />)}
    </section>
  );
}

function LastCheck({ purchase }: { purchase: Purchase }) {
  const { checkedBy, checkedAt, checkedNote } = purchase;
  if (!checkedBy || !checkedAt) return null;
  return (
    <>
      <p className="wrap">{checkedNote}</p>
      <p className="small quiet figures wrap">{`${checkedBy}, ${formatMoment(checkedAt)}`}</p>
      {needsReview(purchase) && <p className="small odd">There are new findings since then.</p>}
    </>
  );
}

function useChange(purchase: Purchase, change: (note: string) => Promise<Purchase>) {
  const client = useQueryClient();
  const { noun } = purchaseList;
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => changeRow<Purchase>(client, noun, purchase._id, () => changed),
    // Another admin may have been first, or something else was found: show what is true now.
    onError: () => void client.invalidateQueries({ queryKey: [noun] }),
  });
}

function CheckForm({ purchase }: { purchase: Purchase }) {
  const [note, setNote] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const { mutate, reset, isPending, error } = useChange(purchase, (given) =>
    settleFindings(purchase, given),
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (isPending) return;
    setIsMissing(!note.trim());
    if (note.trim()) mutate(note.trim());
  };
  return (
    <form className="stack" noValidate onSubmit={save}>
      <AnswerField
        label="Note"
        value={note}
        onChange={(value) => {
          setNote(value);
          setIsMissing(false);
          reset();
        }}
        problem={isMissing ? 'Enter what you found. Other admins will see it.' : undefined}
        hint="What you found. Visible to all admins."
        isLong
        isReadOnly={isPending}
        maxLength={500}
      />
      <Problem error={error} />
      <div className={styles.buttons}>
        <Button type="submit" look="filled" aria-busy={isPending}>
          {isPending ? 'Saving…' : 'Mark as checked'}
        </Button>
      </div>
    </form>
  );
}

function Reopen({ purchase }: { purchase: Purchase }) {
  const { mutate, isPending, error } = useChange(purchase, () => reopenFindings(purchase));
  return (
    <div className="stack">
      <Problem error={error} />
      <div className={styles.buttons}>
        <Button aria-busy={isPending} onClick={() => !isPending && mutate('')}>
          {isPending ? 'Saving…' : 'Needs review again'}
        </Button>
      </div>
    </div>
  );
}

function Problem({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <Alert tone="bad">
      <Lines lines={isOutcomeUnknown(error) ? [lost] : sentencesOf(error)} />
    </Alert>
  );
}
