import { Button } from '../../../ui/Button';
import { Alert, Lines } from '../../../ui/notices/Alert';
import styles from './Sheet.module.css';
import type { useSheet } from './useSheet';

interface PasteNoticesProps {
  state: ReturnType<typeof useSheet>;
  /** The button that was pressed is gone. */
  onAnswered: () => void;
}

/** Why a paste was refused, or what has to be compared before its references can be confirmed. */
export function PasteNotices({ state, onAnswered }: PasteNoticesProps) {
  const { refusal, forgetRefusal, paste } = state;
  const answer = (act: () => void) => () => {
    act();
    onAnswered();
  };
  return (
    <div className={styles.notices}>
      {refusal.length > 0 && (
        <Alert tone="bad" onDismiss={answer(forgetRefusal)}>
          <Lines lines={['The paste was refused: no reference was changed.', ...refusal]} />
        </Alert>
      )}
      {paste?.question && (
        <Alert
          tone="warning"
          action={
            <span className={styles.answers}>
              <Button onClick={answer(paste.undo)}>Undo the paste</Button>
              <Button onClick={answer(paste.accept)}>The rows are right</Button>
            </span>
          }
        >
          {paste.question}
        </Alert>
      )}
    </div>
  );
}
