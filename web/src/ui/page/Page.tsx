import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { classes } from '../classes';
import { Link } from './address';
import { Dot } from './Dot';
import styles from './Page.module.css';

export interface PageTab {
  path: string;
  label: string;
  isHere: boolean;
  /** What needs attention there; empty if nothing does. */
  trouble: string;
}

/** The screens that belong together with the current one. The app provides them, because it knows the routes. */
export const PageTabsContext = createContext<readonly PageTab[]>([]);

interface PageProps {
  title: string;
  summary?: ReactNode;
  /** `viewport` pages fill the window and scroll inside; `document` pages scroll as a whole. */
  scroll?: 'viewport' | 'document';
  children: ReactNode;
}

export function Page({ title, summary, scroll = 'viewport', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  const tabs = use(PageTabsContext);

  useScreenTitle(title, heading);

  return (
    <div className={classes(styles.page, styles[scroll])}>
      <div className={styles.titleLine}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {summary && <div className={styles.summary}>{summary}</div>}
      </div>
      {tabs.length > 0 && (
        <nav ref={showCurrent} aria-label="Pages" className={styles.tabs}>
          {tabs.map(({ path, label, isHere, trouble }) => (
            <Link key={path} href={path} aria-current={isHere ? 'page' : undefined}>
              {label}
              <Dot trouble={trouble} />
            </Link>
          ))}
        </nav>
      )}
      {children}
    </div>
  );
}

/** On a phone the tabs scroll sideways. */
const showCurrent = (tabs: HTMLElement | null) =>
  tabs?.querySelector('[aria-current]')?.scrollIntoView?.({ block: 'nearest', inline: 'center' });

let hasShownAScreen = false;

/** Sets the title of the browser tab. After a change of screen it also focuses the heading, if one is given. */
export function useScreenTitle(title: string, heading?: RefObject<HTMLElement | null>) {
  useEffect(() => {
    document.title = `${title} · Countinghouse`;
  }, [title]);

  // Before the screen is painted: a key of somebody who sees its rows would lose the row to the heading.
  useLayoutEffect(() => {
    // So that a screen reader announces the new screen; on page load the browser announces it anyway.
    if (hasShownAScreen) heading?.current?.focus();
    hasShownAScreen = true;
  }, [heading]);
}
