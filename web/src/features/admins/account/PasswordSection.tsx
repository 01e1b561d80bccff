import { useState } from 'react';
import { Button } from '../../../ui/Button';
import { changePassword } from './accountActions';
import { ChangeDialog } from './ChangeDialog';
import { PasswordField } from './PasswordField';
import { Section } from './Section';

const shortest = 10;

export function PasswordSection({ onChanged }: { onChanged: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section title="Password" does="Changing it ends your other sessions.">
      <Button onClick={() => setIsOpen(true)}>Change password…</Button>
      {isOpen && (
        <PasswordDialog
          onChanged={() => {
            setIsOpen(false);
            onChanged();
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Section>
  );
}

function PasswordDialog({ onChanged, onClose }: { onChanged: () => void; onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [wanted, setWanted] = useState('');
  const [again, setAgain] = useState('');
  const missing =
    wanted.length < shortest
      ? `A password must have at least ${shortest} characters.`
      : wanted !== again
        ? 'The two new passwords differ. Type them again.'
        : undefined;
  return (
    <ChangeDialog
      title="Change your password"
      confirmLabel="Change password"
      missing={missing}
      change={() => changePassword({ current, new: wanted })}
      onChanged={onChanged}
      onClose={onClose}
      fields={
        <>
          <PasswordField label="Current password" isFirst value={current} onChange={setCurrent} />
          <PasswordField label="New password" isNew value={wanted} onChange={setWanted} />
          <PasswordField label="New password again" isNew value={again} onChange={setAgain} />
        </>
      }
    />
  );
}
