import { useState } from 'react';
import { AnswerField } from '../form/AnswerField';
import { useIsFull } from '../page/quietKeys';
import { Dialog, type DialogProps } from './Dialog';
import styles from './Dialog.module.css';

interface Answer {
  label: string;
  /** The error if nothing was typed. Omitted if the answer is optional. */
  missing?: string | undefined;
  isLong?: boolean;
  maxLength: number;
}

/** Every reason is asked for in the same way. */
export const reasonAnswer: Answer = {
  label: 'Reason',
  missing: 'Enter a reason. Other admins will see it.',
  isLong: true,
  maxLength: 500,
};

interface AnswerDialogProps
  extends Pick<DialogProps, 'title' | 'isSteady' | 'children' | 'onClose'> {
  answer: Answer;
  confirmLabel: string;
  isGrave?: boolean;
  isBusy?: boolean;
  isHeld?: boolean;
  /** See `Dialog`. */
  toRead?: string | undefined;
  /** Why the action is no longer possible; empty while it is. */
  over?: string | undefined;
  problem?: string | undefined;
  onConfirm: (answer: string) => void;
}

/** Asks one question before an action, e.g. for its reason. */
export function AnswerDialog(props: AnswerDialogProps) {
  const { answer, over, isBusy = false, isGrave = false, problem } = props;
  const { missing, ...field } = answer;
  const [text, setText] = useState('');
  const [isEmpty, setIsEmpty] = useState(false);
  const isOver = Boolean(over);
  const isFull = useIsFull();

  const confirm = () => {
    const given = text.trim();
    if (!given && missing) setIsEmpty(true);
    else props.onConfirm(given);
  };

  return (
    <Dialog
      title={props.title}
      isSteady={props.isSteady ?? false}
      confirm={{
        label: props.confirmLabel,
        isGrave,
        isBusy,
        isHeld: props.isHeld ?? false,
        toRead: props.toRead,
        isOver,
        onConfirm: confirm,
        onEmpty: () => setIsEmpty(true),
      }}
      onClose={props.onClose}
      fields={
        (!isOver || text) && (
          <AnswerField
            {...field}
            value={text}
            onChange={(value) => {
              setText(value);
              setIsEmpty(false);
            }}
            problem={isOver ? undefined : (isEmpty && missing) || problem}
            // The text can still be copied.
            hint={
              isOver
                ? 'This was not recorded.'
                : isEmpty
                  ? `To go on without it, press ${props.confirmLabel}.`
                  : undefined
            }
            isRequired={missing !== undefined}
            isFirst
            // For what needs no key press, such as the input of composed characters.
            isReadOnly={isBusy || isOver || isFull}
          />
        )
      }
    >
      {over && (
        <p role="alert" className={styles.over}>
          {over}
        </p>
      )}
      {props.children}
    </Dialog>
  );
}
