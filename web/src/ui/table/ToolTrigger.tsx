import type { ComponentType } from 'react';
import styles from './Toolbar.module.css';

/** What a tool's button shows; on a narrow screen the icon alone. */
export function ToolTrigger({ Icon, word }: { Icon: ComponentType; word: string }) {
  return (
    <>
      <Icon />
      <span className={styles.toolText}>{word}</span>
    </>
  );
}
