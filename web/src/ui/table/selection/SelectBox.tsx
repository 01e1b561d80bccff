import styles from './SelectionBar.module.css';

interface SelectBoxProps {
  label: string;
  state: boolean | 'some';
  onToggle: (withRange: boolean) => void;
}

/** The checkbox of a row. It is inside the first cell, so that selection adds no column to the table. */
export function SelectBox({ label, state, onToggle }: SelectBoxProps) {
  return (
    <label className={styles.selectBox}>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === true}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some';
        }}
        onChange={(event) => onToggle((event.nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  );
}
