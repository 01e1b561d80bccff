import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNotices } from '../api/rowTasks';
import { useFailingWebhooks } from '../entities/webhook/webhook';
import { LogoutButton } from '../features/admins/LogoutButton';
import { BatchButtons } from '../features/batches/BatchButtons';
import { Batches } from '../features/batches/Batches';
import { ExportMenu } from '../features/exports/ExportMenu';
import { ExportProgress } from '../features/exports/ExportProgress';
import { LiveUpdates } from '../features/live/LiveUpdates';
import { SavedViews } from '../features/views/SavedViews';
import { Button } from '../ui/Button';
import { classes } from '../ui/classes';
import { MenuIcon } from '../ui/icons/icons';
import { Logo } from '../ui/icons/Logo';
import { Notices } from '../ui/notices/Notices';
import { Link, useLocation } from '../ui/page/address';
import { Dot } from '../ui/page/Dot';
import { PageTabsContext } from '../ui/page/Page';
import { type TableTools, TableToolsContext } from '../ui/table/frame/tableTools';
import { KeysHelp } from './KeysHelp';
import styles from './Layout.module.css';
import { isAt, type Route, routes, tabsAt } from './routes';
import { SideMenu } from './SideMenu';
import { ThemeToggle } from './theme';

/** Features must not import each other, so the tables get these tools from here. */
const tableTools: TableTools = { Export: ExportMenu, Views: SavedViews, Bulk: BatchButtons };

export function Layout({ children }: { children: ReactNode }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [location] = useLocation();
  const [screen, setScreen] = useState(location);
  const hamburger = useRef<HTMLButtonElement>(null);
  const trouble = useFailingWebhooks();

  // Also closes the menu when the browser's Back button changed the screen.
  if (screen !== location) {
    setScreen(location);
    setIsMenuOpen(false);
  }

  const closeMenu = () => {
    setIsMenuOpen(false);
    // The header can take the focus only when it is no longer inert.
    requestAnimationFrame(() => hamburger.current?.focus());
  };

  return (
    <div className={styles.layout}>
      <a href="#content" className={styles.skip} inert={isMenuOpen}>
        Skip to content
      </a>
      <header className={styles.header} inert={isMenuOpen}>
        <Button
          ref={hamburger}
          look="icon"
          className={styles.hamburger}
          aria-label={trouble ? `Menu. ${trouble}` : 'Menu'}
          aria-expanded={isMenuOpen}
          aria-controls="side-menu"
          onClick={() => setIsMenuOpen(true)}
        >
          <MenuIcon />
          <Dot trouble={trouble} />
        </Button>
        <span className={styles.brand}>
          <Logo />
          <span className={styles.name}>Countinghouse</span>
        </span>
        <ThemeToggle />
        <LogoutButton />
      </header>
      <div className={styles.away} inert={isMenuOpen}>
        {routes.map(
          ({ path, work }) =>
            work && !isAt(location, path) && <NoticesFrom key={path} path={path} work={work} />,
        )}
      </div>
      <main
        id="content"
        tabIndex={-1}
        inert={isMenuOpen}
        className={classes(styles.content, isMenuOpen && styles.blurred)}
      >
        <AfterFirstRows>
          <LiveUpdates />
        </AfterFirstRows>
        <PageTabsContext value={tabsAt(location, { '/Settings/Webhooks': trouble })}>
          <TableToolsContext value={tableTools}>{children}</TableToolsContext>
        </PageTabsContext>
      </main>
      <AfterFirstRows>
        <div>
          <Batches inert={isMenuOpen} />
          <ExportProgress inert={isMenuOpen} />
        </div>
      </AfterFirstRows>
      <KeysHelp />
      <SideMenu
        isOpen={isMenuOpen}
        troubles={{ '/Settings': trouble }}
        onClose={closeMenu}
        onLeave={() => setIsMenuOpen(false)}
      />
    </div>
  );
}

/** Shows the outcome of operations on a screen that the admin has left. The screen itself shows its own. */
function NoticesFrom({ path, work }: { path: string; work: NonNullable<Route['work']> }) {
  const notices = useNotices(work.notices);
  const link = <Link href={path}>{work.linkText}</Link>;
  return <Notices notices={notices} onDismiss={work.notices.dismiss} link={link} />;
}

const patienceMilliseconds = 3_000;

/** Mounts its children after the first rows, or when these take long: other requests would delay them. */
function AfterFirstRows({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const isFetching = useIsFetching() > 0;
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const hasAnswer = client
      .getQueryCache()
      .getAll()
      .some(({ state }) => state.status !== 'pending');
    const mount = () => setIsDue(true);
    let timer = setTimeout(mount, patienceMilliseconds);
    const frame = requestAnimationFrame(() => {
      if (isFetching || !hasAnswer) return;
      clearTimeout(timer);
      // A timer set in an animation frame fires after that frame is painted.
      timer = setTimeout(mount);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [client, isFetching]);
  return isDue && children;
}
