import { useState } from 'react';
import { Button } from '../../ui/Button';
import styles from './Importing.module.css';
import type { Import, MappedCollection } from './imports';
import mapStyles from './MapEditor.module.css';
import type { CollectionDraft } from './mapDraft';

interface StatusWordsProps {
  found: MappedCollection;
  /** Ours. */
  statuses: Import['statuses'];
  draft: CollectionDraft;
  onChange: (draft: CollectionDraft) => void;
}

/** Which of our statuses a word of the source means. Words that can mean only one are known already. */
export function StatusWords({ found, statuses, draft, onChange }: StatusWordsProps) {
  const [added, setAdded] = useState<string[]>([]);
  const [word, setWord] = useState('');
  const known = Object.entries(draft.statuses).filter(([, ours]) => ours);
  const asked = [...new Set([...found.unknownStatuses, ...added])];
  const add = () => {
    const plain = word.trim();
    setWord('');
    if (plain) setAdded((now) => [...now.filter((one) => one !== plain), plain]);
  };
  const choose = (theirs: string, ours: string) => {
    const { [theirs]: _, ...rest } = draft.statuses;
    onChange({ ...draft, statuses: ours ? { ...rest, [theirs]: ours } : rest });
  };
  return (
    <div className={mapStyles.statuses}>
      <p className="tiny medium quiet">Statuses</p>
      {asked.map((theirs) => (
        <div key={theirs} className={mapStyles.status}>
          <code className={styles.value}>{theirs}</code>
          <select
            aria-label={`Our status for ${theirs}`}
            aria-invalid={!draft.statuses[theirs] || undefined}
            value={draft.statuses[theirs] ?? ''}
            onChange={(event) => choose(theirs, event.target.value)}
          >
            <option value="">Unknown: such rows are bad</option>
            {statuses.map((ours) => (
              <option key={ours} value={ours}>
                {ours}
              </option>
            ))}
          </select>
        </div>
      ))}
      <div className={mapStyles.status}>
        <input
          type="text"
          aria-label="Another status of the source"
          placeholder="Another word"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={60}
          value={word}
          onChange={(event) => setWord(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button className={styles.alone} onClick={add}>
          Add word
        </Button>
      </div>
      <p className="tiny quiet wrap">
        {`Known: ${known.map(([theirs, ours]) => `${theirs} is ${ours}`).join(', ')}`}
      </p>
    </div>
  );
}
