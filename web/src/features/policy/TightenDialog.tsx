import type { PolicyWish } from '../../entities/policy/policy';
import { Alert } from '../../ui/Alert';
import { Dialog } from '../../ui/dialog/Dialog';
import { commandFor, questionOf, ruleTexts } from './ruleTexts';
import styles from './Settings.module.css';

interface TightenDialogProps {
  wish: PolicyWish;
  isBusy: boolean;
  problem: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks first, because no admin can loosen a rule that was made stricter. */
export function TightenDialog({ wish, isBusy, problem, onConfirm, onCancel }: TightenDialogProps) {
  const { rule, question, confirm } = questionOf(wish);
  return (
    <Dialog
      title={question}
      confirm={{ label: confirm, isGrave: true, isBusy, onConfirm }}
      onClose={onCancel}
      fields={
        problem && (
          <div className={styles.problem}>
            <Alert tone="bad">
              <p>It was not set.</p>
              <p>{problem}</p>
            </Alert>
          </div>
        )
      }
    >
      <p>{ruleTexts[rule].does}</p>
      <p>It applies to all admins at once. Only the operator can loosen it, on the server, with:</p>
      <code className={styles.code}>{commandFor(rule, 'off')}</code>
    </Dialog>
  );
}
