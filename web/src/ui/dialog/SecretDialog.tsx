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
  onClose: () => void;
}

/** Shows a secret that cannot be shown again. */
export function SecretDialog({ title, what, secret, children, more, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      isWide
      closeLabel="Done"
      onClose={onClose}
      fields={
        <>
          <CopyLine what={what} text={secret} isFirst />
          {more}
        </>
      }
    >
      {children}
    </Dialog>
  );
}
