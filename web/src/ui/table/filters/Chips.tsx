import type { MouseEvent } from 'react';
import { Button } from '../../Button';
import { CloseIcon } from '../../icons/icons';
import styles from './Chips.module.css';
import type { ActiveFilter } from './filterTexts';
import type { ViewControl } from './useView';
import { withoutFilters } from './view';

interface ChipsProps {
  active: readonly ActiveFilter[];
  control: Pick<ViewControl, 'view' | 'change'>;
  /** The filter that clearing keeps. */
  kept: string | undefined;
}

/** The active filters in words. A click removes one. */
export function Chips({ active, control, kept }: ChipsProps) {
  const { view, change } = control;
  const remove = ({ currentTarget: chip }: MouseEvent<HTMLElement>, { names }: ActiveFilter) => {
    // The chip disappears and would lose the focus.
    const beside = chip.nextElementSibling ?? chip.previousElementSibling;
    const opener = chip.closest('[role="search"]')?.querySelector('[aria-haspopup="dialog"]');
    const left = Object.entries(view.filters).filter(([name]) => !names.includes(name));
    change({ filters: Object.fromEntries(left) });
    ((active.length > 1 ? beside : opener) as HTMLElement | null)?.focus();
  };

  return (
    <div role="group" aria-label="Active filters" className={styles.chips}>
      {active.map((one) => (
        <button
          key={one.text}
          type="button"
          aria-label={`Remove filter ${one.text}`}
          className={styles.chip}
          onClick={(event) => remove(event, one)}
        >
          <span className={styles.text}>{one.text}</span>
          <CloseIcon />
        </button>
      ))}
      {active.length > 1 && (
        <Button look="link" onClick={() => change(withoutFilters(view, kept))}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
