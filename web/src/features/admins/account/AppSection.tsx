import { useMemo, useState } from 'react';
import { Button } from '../../../ui/Button';
import { CopyLine } from '../../../ui/text/CopyLine';
import { useObjectUrl } from '../../../ui/useObjectUrl';
import { CodeField } from '../CodeField';
import styles from './Account.module.css';
import { confirmTotp, removeTotp, startTotp, type TotpSetup } from './accountActions';
import { ChangeDialog } from './ChangeDialog';
import { PasswordField } from './PasswordField';
import { Section } from './Section';

interface AppSectionProps {
  hasApp: boolean;
  onChanged: (recoveryCodes?: readonly string[]) => void;
}

/** The authenticator app: a password first, then a QR code to scan, then the first code. */
export function AppSection({ hasApp, onChanged }: AppSectionProps) {
  const [step, setStep] = useState<'password' | 'remove' | TotpSetup | null>(null);
  const [password, setPassword] = useState('');
  const close = () => {
    setStep(null);
    setPassword('');
  };
  const done = (codes?: readonly string[]) => {
    close();
    onChanged(codes);
  };

  return (
    <Section
      title="Authenticator app"
      state={{ isOn: hasApp, words: hasApp ? 'On' : 'Off' }}
      does="An app on your phone shows a new code every half minute, which login then asks for."
    >
      {hasApp ? (
        <Button look="danger" onClick={() => setStep('remove')}>
          Remove…
        </Button>
      ) : (
        <Button onClick={() => setStep('password')}>Set up…</Button>
      )}
      {step === 'password' && (
        <ChangeDialog
          title="Set up an authenticator app"
          confirmLabel="Continue"
          missing={password ? undefined : 'Enter your password.'}
          change={() => startTotp(password)}
          onChanged={setStep}
          onClose={close}
          fields={<PasswordField isFirst value={password} onChange={setPassword} />}
        />
      )}
      {step === 'remove' && (
        <ChangeDialog
          title="Remove the authenticator app?"
          confirmLabel="Remove"
          isDangerous
          change={removeTotp}
          onChanged={() => done()}
          onClose={close}
        >
          <p>Its codes stop working, and your other sessions end.</p>
        </ChangeDialog>
      )}
      {step !== null && typeof step === 'object' && (
        <ScanDialog setup={step} onDone={done} onClose={close} />
      )}
    </Section>
  );
}

interface ScanDialogProps {
  setup: TotpSetup;
  onDone: (recoveryCodes: readonly string[]) => void;
  onClose: () => void;
}

function ScanDialog({ setup, onDone, onClose }: ScanDialogProps) {
  const [code, setCode] = useState('');
  // A file, because the page's policy allows no data URLs.
  const svg = useMemo(() => new Blob([setup.qr], { type: 'image/svg+xml' }), [setup.qr]);
  const picture = useObjectUrl(svg);
  return (
    <ChangeDialog
      title="Scan this with your authenticator app"
      confirmLabel="Turn on"
      missing={code.trim() ? undefined : 'Enter the code that the app shows now.'}
      change={() => confirmTotp(code.trim())}
      onChanged={onDone}
      onClose={onClose}
      fields={
        <>
          {picture && (
            <img src={picture} alt="QR code for the authenticator app" className={styles.qr} />
          )}
          <CopyLine what="secret" text={setup.secret} />
          <CodeField
            label="The code that the app shows now"
            value={code}
            onChange={setCode}
            problem={undefined}
          />
        </>
      }
    >
      <p>Or type the secret below into the app.</p>
    </ChangeDialog>
  );
}
