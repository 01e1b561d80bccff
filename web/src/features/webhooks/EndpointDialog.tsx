import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isOutcomeUnknown, RefusedError, sentenceOf } from '../../api/errors';
import {
  type Endpoint,
  type EndpointSecret,
  type EventType,
  webhooksOptions,
} from '../../entities/webhook/webhook';
import { Dialog } from '../../ui/dialog/Dialog';
import { AnswerField } from '../../ui/form/AnswerField';
import { CheckList } from '../../ui/form/CheckList';
import { Failure } from './Failure';
import { addWebhook, changeWebhook } from './webhookActions';
import { events, usualEvents } from './webhookTexts';

interface EndpointDialogProps {
  /** Null to add one. */
  endpoint: Endpoint | null;
  onAdded: (made: EndpointSecret) => void;
  onClose: () => void;
}

const lost =
  'No answer came back. If the list now has this webhook, make a new secret for it; if not, add it again.';

/** Where events are sent, and which. */
export function EndpointDialog({ endpoint, onAdded, onClose }: EndpointDialogProps) {
  const client = useQueryClient();
  // As it was when the dialog opened: what another admin changes meanwhile is not overwritten.
  const [seen] = useState(endpoint);
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [chosen, setChosen] = useState<EventType[]>(endpoint?.events ?? usualEvents);
  const [missing, setMissing] = useState<Record<string, string>>({});
  const saving = useMutation({
    mutationFn: async () => {
      const wish = { url: url.trim(), events: chosen, isEnabled: seen?.isEnabled ?? true };
      if (seen) return void (await changeWebhook(seen, wish));
      onAdded(await addWebhook(wish));
    },
    onSuccess: () => endpoint && onClose(),
    onSettled: () => void client.invalidateQueries({ queryKey: webhooksOptions.queryKey }),
  });

  const confirm = () => {
    const wrong = {
      ...(!url.trim() && { url: 'Enter the address of your receiver.' }),
      ...(chosen.length === 0 && { events: 'Choose at least one.' }),
    };
    saving.reset();
    setMissing(wrong);
    if (Object.keys(wrong).length === 0) saving.mutate();
  };

  const refusals = saving.error instanceof RefusedError ? saving.error.fields : {};
  const problemOf = (field: string) =>
    missing[field] ?? Object.entries(refusals).find(([one]) => one.split('.')[0] === field)?.[1];
  const isShownBelow = ['url', 'events'].some(problemOf);
  const isLost = !endpoint && isOutcomeUnknown(saving.error);
  return (
    <Dialog
      title={endpoint ? 'Change webhook' : 'New webhook'}
      isWide
      confirm={{
        label: endpoint ? 'Save' : 'Add webhook',
        isBusy: saving.isPending,
        onConfirm: confirm,
      }}
      onClose={onClose}
      fields={
        <>
          <AnswerField
            label="Address"
            type="url"
            value={url}
            onChange={(value) => {
              setUrl(value);
              setMissing({});
            }}
            problem={problemOf('url')}
            hint="Your receiver, e.g. https://shop.example.in/hooks."
            isRequired
            isFirst
            isReadOnly={saving.isPending}
            maxLength={500}
          />
          <CheckList
            legend="Events"
            options={events}
            chosen={chosen}
            onChange={(value) => {
              setChosen(value);
              setMissing({});
            }}
            problem={problemOf('events')}
          />
          {saving.error && !isShownBelow && (
            <Failure>{isLost ? lost : sentenceOf(saving.error)}</Failure>
          )}
        </>
      }
    />
  );
}
