import { useEffect, useRef } from 'react';
import { Button } from '../ui/Button';
import { CloseIcon } from '../ui/icons/icons';
import { Logo } from '../ui/icons/Logo';
import { Link, useLocation } from '../ui/page/address';
import { Dot } from '../ui/page/Dot';
import { isAt, isWithin, routes } from './routes';
import styles from './SideMenu.module.css';

interface SideMenuProps {
  isOpen: boolean;
  /** By path: what needs attention there. */
  troubles: Readonly<Record<string, string>>;
  onClose: () => void;
  /** The admin chose another screen, which takes the focus itself. */
  onLeave: () => void;
}

export function SideMenu({ isOpen, troubles, onClose, onLeave }: SideMenuProps) {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    // The chosen screen then opens at once. A failure is reported when the screen is opened.
    for (const { preload } of routes) preload().catch(() => undefined);
    const find = (selector: string) => nav.current?.querySelector<HTMLElement>(selector);
    (find('[aria-current]') ?? find('a'))?.focus();
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen, onClose]);

  return (
    <>
      {/* biome-ignore lint/a11y: for pointers only; Escape and the close button do the same by keyboard */}
      <div className={styles.overlay} data-testid="overlay" hidden={!isOpen} onClick={onClose} />
      <nav ref={nav} id="side-menu" aria-label="Screens" className={styles.menu} hidden={!isOpen}>
        <div className={styles.top}>
          <span className={styles.brand}>
            <Logo />
            Countinghouse
          </span>
          <Button look="icon" aria-label="Close menu" onClick={onClose}>
            <CloseIcon />
          </Button>
        </div>
        {routes.map(({ path, menu }) => {
          if (!menu) return null;
          const isHere = isAt(location, path);
          return (
            <Link
              key={path}
              href={path}
              className={styles.link}
              aria-current={isHere ? 'page' : isWithin(location, path) || undefined}
              onClick={isHere ? onClose : onLeave}
            >
              <menu.Icon />
              {menu.label}
              <Dot trouble={troubles[path] ?? ''} />
            </Link>
          );
        })}
      </nav>
    </>
  );
}
