import { useState } from 'react';
import { Button } from '../../ui/Button';
import { countOf } from '../../ui/text/rupees';
import styles from './Importing.module.css';
import type { Import } from './imports';

interface RunControlsProps {
  found: Import;
  isEdited: boolean;
  isBusy: boolean;
  onRun: (stopAtErrors: boolean) => void;
}

/** The button that imports what the plan says, and the choice to import nothing if a row is bad. */
export function RunControls({ found, isEdited, isBusy, onRun }: RunControlsProps) {
  const { bad, state, report } = found;
  const [isStrict, setIsStrict] = useState(false);
  const created = Object.values(report?.outcomes ?? {}).reduce(
    (sum, outcomes) => sum + (outcomes.created ?? 0),
    0,
  );
  const isAgain = state !== 'planned';
  const why = isEdited
    ? 'The map has changed. Check again before you import.'
    : isStrict && bad > 0
      ? 'Some rows have errors. Correct the map below, or correct your file and upload it again.'
      : created === 0 && !isAgain
        ? bad > 0
          ? 'There is nothing to import: every other row is in the desk already.'
          : 'There is nothing to import: every row is in the desk already.'
        : '';
  return (
    <section aria-label="Import" className={styles.run}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isStrict}
          onChange={(event) => setIsStrict(event.target.checked)}
        />
        Import nothing if a row is bad
      </label>
      {why && <p className="small quiet">{why}</p>}
      <Button
        look="filled"
        disabled={why !== ''}
        aria-busy={isBusy}
        onClick={() => !isBusy && onRun(isStrict)}
      >
        {isAgain ? 'Import again' : `Import ${countOf(created, 'row')}`}
      </Button>
    </section>
  );
}
