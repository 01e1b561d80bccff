import { useState } from 'react';
import type { AddedKey } from '../../entities/key/key';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { CopyLine } from '../../ui/text/CopyLine';
import styles from './Keys.module.css';
import { tryOutLines } from './tryOut';

/** The only time that a key is visible. */
export function KeyMade({ added, onClose }: { added: AddedKey; onClose: () => void }) {
  const { key, shown } = added;
  // Once, because they contain random numbers.
  const [lines] = useState(() => tryOutLines(window.location.origin, key, shown.scopes));
  return (
    <SecretDialog
      title={`The key “${shown.name}”`}
      what="key"
      secret={key}
      more={
        lines.length > 0 && (
          <section aria-labelledby="try-it" className={styles.tryIt}>
            <h3 id="try-it" className="subheading">
              Try it in a terminal
            </h3>
            <p className="small quiet">
              {shown.scopes.some((scope) => scope !== 'read') && lines[0]?.name === 'user'
                ? 'Each command adds a made-up record named “Test client”. Running it again adds nothing.'
                : 'This command reads the newest users.'}
            </p>
            {lines.map(({ name, curl }) => (
              <CopyLine key={name} what={`command: ${name}`} text={curl} />
            ))}
          </section>
        )
      }
      onClose={onClose}
    >
      <p>Copy it now. Only a hash of it is stored, so it cannot be shown again.</p>
    </SecretDialog>
  );
}
