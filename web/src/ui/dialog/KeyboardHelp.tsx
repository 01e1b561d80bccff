import { Fragment } from 'react';
import { Button } from '../Button';
import { CloseIcon } from '../icons/icons';
import styles from './KeyboardHelp.module.css';
import { useModal } from './modal';

export interface KeyGroup {
  title: string;
  keys: readonly {
    /** The keys: each of them works. */
    press: readonly string[];
    does: string;
  }[];
}

interface KeyboardHelpProps {
  groups: readonly KeyGroup[];
  onClose: () => void;
}

export function KeyboardHelp({ groups, onClose }: KeyboardHelpProps) {
  const { modal, titleId } = useModal(onClose);

  return (
    <dialog
      {...modal}
      className={styles.dialog}
      onClick={(event) => {
        // A click on the backdrop has the dialog itself as its target.
        if (event.target === event.currentTarget) onClose();
      }}
      // `?` also closes the dialog. No key reaches the table while it is open.
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === '?') onClose();
      }}
    >
      <div className={styles.inside}>
        <div className={styles.top}>
          <h2 id={titleId} className={styles.title}>
            Keyboard
          </h2>
          <Button look="icon" aria-label="Close" onClick={onClose}>
            <CloseIcon />
          </Button>
        </div>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className={styles.group}>{title}</h3>
            <dl className={styles.keys}>
              {keys.map(({ press, does }) => (
                <div key={does} className={styles.line}>
                  <dt>{does}</dt>
                  <dd className={styles.press}>
                    {press.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && <span className={styles.or}>or</span>}
                        <kbd className={styles.key}>{key}</kbd>
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}
