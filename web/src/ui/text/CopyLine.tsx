import { CopyButton } from './CopyButton';
import styles from './CopyLine.module.css';

interface CopyLineProps {
  /** Completes the name of the button: Copy … */
  what: string;
  text: string;
  /** Takes the initial focus of a dialog: a second Enter must not close what has not been read yet. */
  isFirst?: boolean;
}

/** A value for another program, with a button that copies it. */
export function CopyLine({ what, text, isFirst = false }: CopyLineProps) {
  return (
    <div className={styles.line}>
      <code className={styles.code} {...(isFirst && { tabIndex: 0, 'data-first': '' })}>
        {text}
      </code>
      <CopyButton what={what} text={text} />
    </div>
  );
}
