import { sentenceOf } from '../../api/errors';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import styles from './Views.module.css';
import type { Deleting } from './viewActions';

/** Offers Undo for a few seconds after a view was deleted. */
export function DeletedView({ deleting }: { deleting: Deleting }) {
  const { removed, failure, forgetFailures, undo, isUndoing } = deleting;
  return (
    <>
      <div role="status">
        {removed && (
          <div className={styles.deleted}>
            <span className={styles.sentence}>“{removed.name}” was deleted.</span>
            <Button size="row" autoFocus aria-disabled={isUndoing || undefined} onClick={undo}>
              Undo
            </Button>
          </div>
        )}
      </div>
      {failure && (
        <Alert tone="bad" onDismiss={forgetFailures}>
          {sentenceOf(failure)}
        </Alert>
      )}
    </>
  );
}
