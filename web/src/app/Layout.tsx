import { type ReactNode, Suspense, useRef, useState } from 'react';
import { LogoutButton } from '../features/admins/LogoutButton';
import { useLocation } from '../ui/address';
import { Button } from '../ui/Button';
import { classes } from '../ui/classes';
import { Logo } from '../ui/icons/Logo';
import { MenuIcon } from '../ui/icons/MenuIcon';
import { AwayNotices } from './AwayNotices';
import { Batches, ExportProgress, loadExtras, SideMenu, useAreExtrasAtHand } from './extras';
import { Help } from './Help';
import styles from './Layout.module.css';
import { Live } from './Live';
import { ThemeToggle } from './ThemeToggle';

export function Layout({ children }: { children: ReactNode }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [location] = useLocation();
  const [screen, setScreen] = useState(location);
  const areExtrasAtHand = useAreExtrasAtHand();
  const hamburger = useRef<HTMLButtonElement>(null);

  // Also closes the menu when the browser's Back button changed the screen.
  if (screen !== location) {
    setScreen(location);
    setIsMenuOpen(false);
  }

  const openMenu = async () => {
    // The rest of the page is inert while the menu is open, so wait until the menu has loaded. If loading fails, the
    // menu itself reports it.
    await loadExtras().catch(() => undefined);
    setIsMenuOpen(true);
  };

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
          aria-label="Menu"
          aria-expanded={isMenuOpen}
          aria-controls="side-menu"
          onClick={() => void openMenu()}
        >
          <MenuIcon />
        </Button>
        <span className={styles.brand}>
          <Logo />
          <span className={styles.name}>Countinghouse</span>
        </span>
        <ThemeToggle />
        <LogoutButton />
      </header>
      <div className={styles.away} inert={isMenuOpen}>
        <AwayNotices />
      </div>
      <main
        id="content"
        tabIndex={-1}
        inert={isMenuOpen}
        className={classes(styles.content, isMenuOpen && styles.blurred)}
      >
        <Live />
        {children}
      </main>
      {/* Loaded before an export can be requested: it is in the same file as the export panel. */}
      {areExtrasAtHand && (
        <div>
          <Batches inert={isMenuOpen} />
          <ExportProgress inert={isMenuOpen} />
        </div>
      )}
      <Help />
      {(areExtrasAtHand || isMenuOpen) && (
        <Suspense>
          <SideMenu isOpen={isMenuOpen} onClose={closeMenu} onLeave={() => setIsMenuOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
