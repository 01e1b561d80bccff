import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import type { Endpoint } from '../../entities/webhook/webhook';
import { Dialog } from '../../ui/dialog/Dialog';
import { AnswerField } from '../../ui/form/AnswerField';
import { clockAt, momentOf } from '../../ui/text/deskClock';
import { countOf } from '../../ui/text/rupees';
import { resendSince } from './webhookActions';

interface ResendDialogProps {
  endpoint: Endpoint;
  onDone: () => void;
  onClose: () => void;
}

const dayMilliseconds = 86_400_000;

/** Sends everything since a moment again, e.g. after the receiver has lost it. */
export function ResendDialog({ endpoint, onDone, onClose }: ResendDialogProps) {
  const [since, setSince] = useState(() =>
    clockAt(new Date(Date.now() - dayMilliseconds)).slice(0, 16),
  );
  const [isMissing, setIsMissing] = useState(false);
  const resending = useMutation({
    mutationFn: () => resendSince(endpoint._id, momentOf(since)),
    onSettled: onDone,
  });
  const { data, error, isPending } = resending;
  if (data) {
    return (
      <Dialog title={`${countOf(data.resent, 'event')} will be sent again`} onClose={onClose}>
        <p>The log shows what the receiver answers.</p>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Resend everything since"
      confirm={{
        label: 'Resend',
        isBusy: isPending,
        onConfirm: () => (since ? resending.mutate() : setIsMissing(true)),
      }}
      onClose={onClose}
      fields={
        <AnswerField
          label="Since"
          type="datetime-local"
          value={since}
          onChange={(value) => {
            setSince(value);
            setIsMissing(false);
            resending.reset();
          }}
          problem={isMissing ? 'Choose a day and a time.' : error ? sentenceOf(error) : undefined}
          isRequired
          isFirst
          isReadOnly={isPending}
        />
      }
    >
      <p>
        Each event is sent again with the id it had, so a receiver that stores ids handles it once.
        The log goes back 30 days.
      </p>
    </Dialog>
  );
}
