import { useState } from 'react';
import { Button } from '../../../ui/Button';
import { makeRecoveryCodes } from './accountActions';
import { ChangeDialog } from './ChangeDialog';
import { Section } from './Section';

interface RecoverySectionProps {
  left: number;
  onChanged: (recoveryCodes: readonly string[]) => void;
}

export function RecoverySection({ left, onChanged }: RecoverySectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      title="Recovery codes"
      state={{ isOn: left > 0, words: `${left} left` }}
      does="For a login without your phone. They cannot confirm payments or change your factors."
    >
      <Button onClick={() => setIsOpen(true)}>Make new codes…</Button>
      {isOpen && (
        <ChangeDialog
          title="Make new recovery codes?"
          confirmLabel="Make new codes"
          change={makeRecoveryCodes}
          onChanged={(codes) => {
            setIsOpen(false);
            onChanged(codes);
          }}
          onClose={() => setIsOpen(false)}
        >
          <p>The old codes stop working, and your other sessions end.</p>
        </ChangeDialog>
      )}
    </Section>
  );
}
