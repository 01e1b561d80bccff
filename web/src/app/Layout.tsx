import { type ReactNode, Suspense, useRef, useState } from 'react';
import { LogoutButton } from '../features/admins/LogoutButton';
import { useLocation } from '../ui/address';
import { Button } from '../ui/Button';
import { classes } from '../ui/classes';
import { Logo } from '../ui/icons/Logo';
import { MenuIcon } from '../ui/icons/MenuIcon';
import { AwayNotices } from './AwayNotices';
import { BatchDesk, ExportProgress, loadExtras, SideMenu, useAreExtrasAtHand } from './extras';
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

  // Also when the browser's own Back changed the screen.
  if (screen !== location) {
    setScreen(location);
    setIsMenuOpen(false);
  }

  const openMenu = async () => {
    // The rest is out of reach while the menu is open, so it opens only once it is there. If it cannot be had, the
    // menu itself fails, and says so.
    await loadExtras().catch(() => undefined);
    setIsMenuOpen(true);
  };

  const closeMenu = () => {
    setIsMenuOpen(false);
    // Only after the header is live again can it take the focus.
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
      {/* At hand before an export can be asked for: it comes in one file with the export's panel. */}
      {areExtrasAtHand && (
        <div>
          <BatchDesk inert={isMenuOpen} />
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
