import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { NoPasskeyError } from '../../api/passkeys';
import { askedStepUps, giveUpStepUps, type StepUp } from '../../api/stepUp';
import { useStore } from '../../api/store';
import { accountOptions, confirmWithCode, confirmWithPasskey } from '../../entities/admin/account';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/dialog/Dialog';
import { refuseLateLetters } from '../../ui/page/quietKeys';
import { CodeField } from './CodeField';

/** Opens whenever the server wants an action confirmed, on any screen. */
export function StepUps() {
  const [first] = useStore(askedStepUps);
  useEffect(() => giveUpStepUps, []);
  return first && <StepUpDialog key={first.id} stepUp={first} onSettled={first.settle} />;
}

interface StepUpDialogProps {
  stepUp: StepUp;
  onSettled: (isConfirmed: boolean) => void;
}

function StepUpDialog({ stepUp, onSettled }: StepUpDialogProps) {
  const { data: account } = useQuery(accountOptions);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const hasPasskey = (account?.passkeys.length ?? 0) > 0;
  // Until the answer is there, the more common way is offered.
  const hasApp = account?.hasTotp ?? true;

  // It opens over a dialog in which somebody may still be typing a reference.
  useEffect(refuseLateLetters, []);

  const confirm = async (send: () => Promise<unknown>) => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      await send();
      onSettled(true);
    } catch (error) {
      setProblem(error instanceof NoPasskeyError ? error.message : sentenceOf(error));
      setCode('');
      setIsBusy(false);
    }
  };
  const sendPasskey = () => void confirm(() => confirmWithPasskey(stepUp));
  const sendCode = () => {
    const digits = code.replace(/\s/g, '');
    // Each code that is sent counts as a guess: the rest of a reference is none.
    if (/^\d{6}$/.test(digits)) void confirm(() => confirmWithCode(stepUp, digits));
    else setProblem('Enter the six digits that the app shows now.');
  };

  return (
    <Dialog
      title="Confirm that it is you"
      confirm={
        hasApp
          ? { label: 'Confirm', isBusy, onConfirm: sendCode }
          : { label: 'Use a passkey', isBusy, onConfirm: sendPasskey }
      }
      action={
        hasApp &&
        hasPasskey && (
          <Button disabled={isBusy} onClick={sendPasskey}>
            Use a passkey
          </Button>
        )
      }
      onClose={() => onSettled(false)}
      fields={
        <CodeField
          label="Code from your authenticator app"
          value={code}
          problem={problem}
          isShown={hasApp}
          isReadOnly={isBusy}
          onChange={(value) => {
            setCode(value);
            setProblem(undefined);
          }}
        />
      }
    >
      <p>{stepUp.message}</p>
    </Dialog>
  );
}
