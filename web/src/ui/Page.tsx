import { type ReactNode, useRef } from 'react';
import { classes } from './classes';
import styles from './Page.module.css';
import { useScreenTitle } from './screenTitle';

interface PageProps {
  title: string;
  /** The count or sum shown beside the title. */
  summary?: ReactNode;
  /** `viewport` pages fill the window and scroll inside; `document` pages scroll as a whole. */
  scroll?: 'viewport' | 'document';
  children: ReactNode;
}

export function Page({ title, summary, scroll = 'viewport', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useScreenTitle(title, heading);

  return (
    <div className={classes(styles.page, styles[scroll])}>
      <div className={styles.titleLine}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {summary && <div className={styles.summary}>{summary}</div>}
      </div>
      {children}
    </div>
  );
}
