import type { ReactNode } from 'react';
import { CopyLine } from '../text/CopyLine';
import { Dialog } from './Dialog';

interface SecretDialogProps {
  title: string;
  /** What is shown, e.g. `key`. */
  what: string;
  secret: string;
  /** What to do with it. */
  children: ReactNode;
  /** What follows the secret. */
  more?: ReactNode;
  closeLabel?: string;
  onClose: () => void;
}

/** Shows a secret that cannot be shown again. */
export function SecretDialog({ what, secret, more, ...dialog }: SecretDialogProps) {
  return (
    <Dialog
      isWide
      isKept
      closeLabel="I have stored it"
      {...dialog}
      fields={
        <>
          <CopyLine what={what} text={secret} isFirst />
          {more}
        </>
      }
    />
  );
}
