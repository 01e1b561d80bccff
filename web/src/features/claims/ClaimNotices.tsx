import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import type { ClaimNotice } from './claimMoves';
import type { Claim, ClaimMove } from './claimsQuery';

interface ClaimNoticesProps {
  notices: ReadonlyMap<string, ClaimNotice>;
  onCheck: (claim: Claim, target: ClaimMove) => void;
  onDismiss: (id: string) => void;
}

export function ClaimNotices({ notices, onCheck, onDismiss }: ClaimNoticesProps) {
  return [...notices].map(([id, { claim, target, state, text }]) => {
    // An open question cannot be waved away.
    const isOpen = state === 'checking' || state === 'unknown';
    return (
      <Alert
        key={id}
        tone={state === 'refused' ? 'bad' : 'plain'}
        action={
          state === 'unknown' && <Button onClick={() => onCheck(claim, target)}>Check again</Button>
        }
        {...(isOpen ? {} : { onDismiss: () => onDismiss(id) })}
      >
        {text.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Alert>
    );
  });
}
