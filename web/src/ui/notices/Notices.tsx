import type { ReactNode } from 'react';
import { Button } from '../Button';
import { Alert, Lines } from './Alert';

export interface Notice {
  tone: 'bad' | 'good' | 'plain' | 'warning';
  lines: readonly string[];
  /** The outcome is unknown: the notice cannot be dismissed. */
  isOpen?: boolean;
  check?: () => void;
}

interface NoticesProps {
  notices: ReadonlyMap<string, Notice>;
  onDismiss: (id: string) => void;
  /** Scrolls to the row that a notice is about. */
  onShow?: (id: string) => void;
  /** A link to the rows that the notices are about. */
  link?: ReactNode;
}

export function Notices({ notices, onDismiss, onShow, link }: NoticesProps) {
  return [...notices].map(([id, { tone, lines, isOpen, check }]) => (
    <Alert
      key={id}
      tone={tone}
      action={
        <>
          {check && <Button onClick={check}>Check again</Button>}
          {onShow && <Button onClick={() => onShow(id)}>Show row</Button>}
          {link}
        </>
      }
      {...(isOpen ? {} : { onDismiss: () => onDismiss(id) })}
    >
      <Lines lines={lines} />
    </Alert>
  ));
}
