import { useState } from 'react';
import { Button } from '../../ui/Button';
import { TrashIcon } from '../../ui/icons/icons';
import styles from './Views.module.css';
import { isSameSearch, type SavedView } from './viewActions';

interface ViewLineProps {
  view: SavedView;
  search: string;
  onApply: (search: string) => void;
  onDelete: (view: SavedView) => void;
}

/** The buttons have keys, because only a newly mounted button takes the focus. */
export function ViewLine({ view, search, onApply, onDelete }: ViewLineProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [hasKept, setHasKept] = useState(false);
  const isShown = isSameSearch(view.search, search);

  if (isAsking) {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: Safari does not treat a list without bullets as a list
      <li role="listitem" className={styles.line}>
        <span className={styles.question}>Delete “{view.name}”?</span>
        <Button key="delete" look="danger" size="row" onClick={() => onDelete(view)}>
          Delete
        </Button>
        {/* In the place of the delete icon, so that the second click of a double click keeps the view. */}
        <Button
          key="keep"
          size="row"
          autoFocus
          onClick={() => {
            setIsAsking(false);
            setHasKept(true);
          }}
        >
          Keep
        </Button>
      </li>
    );
  }
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari does not treat a list without bullets as a list
    <li role="listitem" className={styles.line}>
      <button
        type="button"
        className={styles.apply}
        aria-current={isShown || undefined}
        onClick={() => onApply(view.search)}
      >
        <span className="grow wrap">{view.name}</span>
        {isShown && <span className={styles.shown}>Shown now</span>}
      </button>
      <Button
        key="bin"
        look="icon"
        size="row"
        className={styles.bin}
        aria-label={`Delete ${view.name}`}
        autoFocus={hasKept}
        onClick={() => setIsAsking(true)}
      >
        <TrashIcon />
      </Button>
    </li>
  );
}
