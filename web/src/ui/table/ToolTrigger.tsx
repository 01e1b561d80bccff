import type { ComponentType } from 'react';
import styles from './Toolbar.module.css';

/** The content of a toolbar button; on a narrow screen only the icon is visible. */
export function ToolTrigger({ Icon, word }: { Icon: ComponentType; word: string }) {
  return (
    <>
      <Icon />
      <span className={styles.toolText}>{word}</span>
    </>
  );
}
