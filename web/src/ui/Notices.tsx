import type { ReactNode } from 'react';
import { Alert } from './Alert';
import { Button } from './Button';

export interface Notice {
  tone: 'bad' | 'good' | 'plain';
  lines: readonly string[];
  /** An open question cannot be waved away. */
  isOpen?: boolean;
  /** Asks the open question again. */
  check?: () => void;
}

interface NoticesProps {
  notices: ReadonlyMap<string, Notice>;
  onDismiss: (id: string) => void;
  /** The way to the rows that the notices are about. */
  way?: ReactNode;
}

export function Notices({ notices, onDismiss, way }: NoticesProps) {
  return [...notices].map(([id, { tone, lines, isOpen, check }]) => (
    <Alert
      key={id}
      tone={tone}
      action={
        <>
          {check && <Button onClick={check}>Check again</Button>}
          {way}
        </>
      }
      {...(isOpen ? {} : { onDismiss: () => onDismiss(id) })}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Alert>
  ));
}
