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
  const [first, ...then] = lines;
  return (
    <SecretDialog
      title={`The key “${shown.name}”`}
      what="key"
      secret={key}
      more={
        first && (
          <section aria-labelledby="try-it" className={styles.tryIt}>
            <h3 id="try-it" className="subheading">
              Try it in a terminal
            </h3>
            <p className="small quiet">{first.does}</p>
            <CopyLine what={`command: ${first.name}`} text={first.curl} />
            {then.length > 0 && (
              <details className={styles.then}>
                <summary>{`Then a ${then.map(({ name }) => name).join(' and a ')}`}</summary>
                {then.map(({ name, curl }) => (
                  <CopyLine key={name} what={`command: ${name}`} text={curl} />
                ))}
              </details>
            )}
          </section>
        )
      }
      onClose={onClose}
    >
      <p>Copy it now. Only a hash of it is stored, so it cannot be shown again.</p>
    </SecretDialog>
  );
}
