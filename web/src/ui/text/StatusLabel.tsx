import styles from './StatusLabel.module.css';

/** The colours of tokens.css for each tone: the text's, and the one below it. */
const colours = {
  waiting: ['pending', 'pending-ground'],
  moving: ['accepted', 'accepted-ground'],
  done: ['paid', 'paid-ground'],
  held: ['held', 'held-ground'],
  refused: ['secondary', 'refused-ground'],
  back: ['returned', 'returned-ground'],
  off: ['secondary', 'hover'],
} as const;

export type StatusTone = keyof typeof colours;

/** Always shows the status as a word; the colour only repeats it. */
export function StatusLabel({ tone, children }: { tone: StatusTone; children: string }) {
  const [color, ground] = colours[tone];
  const style = { color: `var(--${color})`, background: `var(--${ground})` };
  return (
    <span className={styles.label} style={style}>
      {children}
    </span>
  );
}
