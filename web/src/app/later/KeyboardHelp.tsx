import { Fragment } from 'react';
import { CloseButton } from '../../ui/Button';
import { classes } from '../../ui/classes';
import styles from '../../ui/dialog/Dialog.module.css';
import { onBackdrop, useModal } from '../../ui/dialog/modal';
import type { KeyGroup } from '../../ui/page/keys';

interface HelpProps {
  groups: readonly KeyGroup[];
  onClose: () => void;
}

export function KeyboardHelp({ groups, onClose }: HelpProps) {
  const { modal, titleId } = useModal(onClose);

  return (
    <dialog
      {...modal}
      className={classes(styles.box, styles.help)}
      onClick={onBackdrop(onClose)}
      // `?` also closes the dialog. No key reaches the table while it is open.
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === '?') onClose();
      }}
    >
      <div>
        <div className={styles.top}>
          <h2 id={titleId} className={styles.title}>
            Keyboard
          </h2>
          <CloseButton onClick={onClose} />
        </div>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(({ press, does }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {press.map((key, index) => (
                      <Fragment key={key}>
                        {index > 0 && <span>or</span>}
                        <kbd>{key}</kbd>
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
