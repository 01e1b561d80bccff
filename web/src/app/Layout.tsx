import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import {
  type ComponentType,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useNotices } from '../api/rowTasks';
import { onMissingFactor, usePermissions } from '../api/session';
import { readPermissions } from '../entities/admin/admin';
import { useFailingWebhooks } from '../entities/webhook/webhook';
import { LogoutButton } from '../features/admins/LogoutButton';
import { StepUps } from '../features/admins/StepUpDialog';
import { BatchButtons } from '../features/batches/BatchButtons';
import { batchStore, useBatches } from '../features/batches/batchStore';
import { ExportMenu } from '../features/exports/ExportMenu';
import NotLive from '../features/live/NotLive';
import { SavedViews } from '../features/views/SavedViews';
import { Button } from '../ui/Button';
import { classes } from '../ui/classes';
import { MenuIcon, SearchIcon } from '../ui/icons/icons';
import { Logo } from '../ui/icons/Logo';
import { MayContext } from '../ui/may';
import { LostKeys } from '../ui/notices/LostKeys';
import { Notices } from '../ui/notices/Notices';
import { NotLoaded } from '../ui/notices/NotLoaded';
import { Link, useLocation } from '../ui/page/address';
import { Dot } from '../ui/page/Dot';
import { PageTabsContext } from '../ui/page/Page';
import { accountPath, settingsPath, webhooksPath } from '../ui/page/paths';
import { type TableTools, TableToolsContext } from '../ui/table/frame/tableTools';
import { AccountMenu } from './AccountMenu';
import styles from './Layout.module.css';
import type { RunningWorkProps } from './later/afterFirstRows';
import { type Overlay, Overlays } from './Overlays';
import { Rail, useRail } from './Rail';
import { isAt, type Route, routes, tabsAt } from './routes';
import { SideMenu } from './SideMenu';

/** Mounted after the first rows, so their code need not come before them. Without it, NotLive asks for a reload. */
let file: Promise<typeof import('./later/afterFirstRows')> | undefined;
const later = () => {
  file ??= import('./later/afterFirstRows');
  return file;
};
const LiveUpdates = lazy(() =>
  later().then(
    (loaded) => ({ default: loaded.LiveUpdates }),
    () => ({ default: NotLive }),
  ),
);
const RunningWork = lazy(() =>
  later().then(
    (loaded) => ({ default: loaded.RunningWork }),
    () => ({ default: NoRunningWork }),
  ),
);

/** Features must not import each other, so the tables get these tools from here. */
const readingTools: TableTools = { Export: ExportMenu, Views: SavedViews };
const tableTools: TableTools = { ...readingTools, Bulk: BatchButtons };

export function Layout({ children }: { children: ReactNode }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [location, navigate] = useLocation();
  const [screen, setScreen] = useState(location);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const rail = useRail();
  const hamburger = useRef<HTMLButtonElement>(null);
  const may = usePermissions();
  const trouble = useFailingWebhooks(may('webhooks.read'));

  // Also closes the menu when the browser's Back button changed the screen.
  if (screen !== location) {
    setScreen(location);
    setIsMenuOpen(false);
  }

  // Nothing else works until the admin has set one up there.
  useEffect(() => onMissingFactor(() => navigate(accountPath)), [navigate]);

  const closeMenu = () => {
    setIsMenuOpen(false);
    // The header can take the focus only when it is no longer inert.
    requestAnimationFrame(() => hamburger.current?.focus());
  };

  return (
    <MayContext value={may}>
      <div className={styles.layout} data-rail={rail.state}>
        <a href="#content" className={styles.skip} inert={isMenuOpen}>
          Skip to content
        </a>
        {/* biome-ignore lint/a11y/useValidAnchor: a link to a place on this page; without rows, to the content */}
        <a href="#content" className={styles.skip} inert={isMenuOpen} onClick={goToRows}>
          Skip to the first row
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
          <Button
            aria-label="Go to… Ctrl K"
            title="Go to a claim, a client or a screen (Ctrl K)"
            className={styles.goTo}
            onClick={() => setOverlay('palette')}
          >
            <SearchIcon />
            <span className={styles.word}>Go to…</span>
            <kbd>Ctrl K</kbd>
          </Button>
          <Button
            look="icon"
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
            className={styles.help}
            onClick={() => setOverlay('keys')}
          >
            ?
          </Button>
          <AccountMenu onKeys={() => setOverlay('keys')} />
          <LogoutButton />
        </header>
        {rail.state && <Rail {...rail} inert={isMenuOpen} troubles={{ [settingsPath]: trouble }} />}
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
            <Suspense>
              <LiveUpdates />
            </Suspense>
            <Permissions />
          </AfterFirstRows>
          <PageTabsContext value={tabsAt(location, { [webhooksPath]: trouble })}>
            <TableToolsContext value={may('batches.move') ? tableTools : readingTools}>
              {children}
            </TableToolsContext>
          </PageTabsContext>
        </main>
        <AfterFirstRows>
          <div>
            <Suspense>
              <RunningWork inert={isMenuOpen} mayMove={may('batches.move')} />
            </Suspense>
          </div>
        </AfterFirstRows>
        <Overlays open={overlay} onOpen={setOverlay} />
        <StepUps />
        <LostKeys />
        <SideMenu
          isOpen={isMenuOpen}
          troubles={{ [settingsPath]: trouble }}
          onClose={closeMenu}
          onLeave={() => setIsMenuOpen(false)}
        />
      </div>
    </MayContext>
  );
}

/** Without that file, a press of a bulk button is answered by a message. */
const NoRunningWork: ComponentType<RunningWorkProps> = () =>
  useBatches().draft && <NotLoaded onClose={batchStore.closeDialogs} />;

/** On a screen without rows, the link leads to the content. */
function goToRows(event: MouseEvent) {
  const row = document.querySelector<HTMLElement>('#content [role="row"][data-row-id]');
  if (!row) return;
  event.preventDefault();
  row.focus();
}

/** Shows the outcome of operations on a screen that the admin has left. The screen itself shows its own. */
function NoticesFrom({ path, work }: { path: string; work: NonNullable<Route['work']> }) {
  const notices = useNotices(work.notices);
  const link = <Link href={path}>{work.linkText}</Link>;
  return <Notices notices={notices} onDismiss={work.notices.dismiss} link={link} />;
}

function Permissions() {
  const client = useQueryClient();
  useEffect(() => void readPermissions(client), [client]);
  return null;
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
