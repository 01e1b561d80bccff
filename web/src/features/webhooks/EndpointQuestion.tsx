import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors';
import {
  type Endpoint,
  type EndpointSecret,
  webhooksOptions,
} from '../../entities/webhook/webhook';
import { Dialog } from '../../ui/dialog/Dialog';
import { Failure } from './Failure';
import { changeWebhook, removeWebhook, rotateSecret } from './webhookActions';
import { doesOldSecretSign } from './webhookTexts';

export type Step = 'rotate' | 'disable' | 'enable' | 'remove';

interface Question {
  title: string;
  sentence: string;
  label: string;
  look?: 'danger';
}

const questions: Record<Step, Question> = {
  rotate: {
    title: 'Make a new secret?',
    sentence:
      'For 24 hours messages are signed with the old secret as well. Change your receiver in that time.',
    label: 'Make new secret',
  },
  disable: {
    title: 'Disable this webhook?',
    sentence: 'Nothing is sent to it. Events that happen meanwhile are not kept for it.',
    label: 'Disable',
  },
  enable: {
    title: 'Enable this webhook?',
    sentence: 'What is still waiting is sent at once, then every new event.',
    label: 'Enable',
  },
  remove: {
    title: 'Remove this webhook?',
    sentence: 'What is waiting for it will not be sent. This cannot be undone.',
    label: 'Remove',
    look: 'danger',
  },
};

const secondSecret =
  'A new secret was made less than a day ago. If you make another one, the secret before it stops signing at once.';

interface EndpointQuestionProps {
  step: Step;
  endpoint: Endpoint;
  onRotated: (made: EndpointSecret) => void;
  onClose: () => void;
}

/** Asks before each change that a receiver would notice. */
export function EndpointQuestion({ step, endpoint, onRotated, onClose }: EndpointQuestionProps) {
  const client = useQueryClient();
  const { title, sentence, label, look } = questions[step];
  const { _id, url, events } = endpoint;
  const endsPrevious = step === 'rotate' && doesOldSecretSign(endpoint);
  const doing = useMutation({
    mutationFn: async () => {
      if (step === 'rotate') return onRotated(await rotateSecret(_id, endsPrevious));
      if (step === 'remove') await removeWebhook(_id);
      else await changeWebhook(endpoint, { url, events, isEnabled: step === 'enable' });
      onClose();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: webhooksOptions.queryKey }),
  });
  return (
    <Dialog
      title={title}
      confirm={{
        label,
        ...(look && { look }),
        isGrave: true,
        isBusy: doing.isPending,
        onConfirm: () => doing.mutate(),
      }}
      onClose={onClose}
      fields={doing.error && <Failure>{sentenceOf(doing.error)}</Failure>}
    >
      <p className="medium">{url}</p>
      <p>{endsPrevious ? secondSecret : sentence}</p>
    </Dialog>
  );
}
