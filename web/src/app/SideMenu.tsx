import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { useReviewCount } from '../entities/purchase/purchase';
import { Button } from '../ui/Button';
import { CloseIcon } from '../ui/icons/icons';
import { Logo } from '../ui/icons/Logo';
import { useMay } from '../ui/may';
import { Link, useLocation } from '../ui/page/address';
import { Dot } from '../ui/page/Dot';
import { isAt, isWithin, routes } from './routes';
import styles from './SideMenu.module.css';

const VersionLine = lazy(() =>
  import('../features/health/VersionLine').catch(() => ({ default: () => undefined })),
);

interface SideMenuProps {
  isOpen: boolean;
  /** By path: what needs attention there. */
  troubles: Readonly<Record<string, string>>;
  onClose: () => void;
  /** The admin chose another screen, which takes the focus itself. */
  onLeave: () => void;
}

export function SideMenu({ isOpen, troubles, onClose, onLeave }: SideMenuProps) {
  const nav = useRef<HTMLElement>(null);
  // Not a dependency of the effect: a layout that is drawn again would move the focus back.
  const close = useEffectEvent(onClose);

  useEffect(() => {
    if (!isOpen) return;
    // The chosen screen then opens at once. A failure is reported when the screen is opened.
    for (const { preload } of routes) preload().catch(() => undefined);
    const find = (selector: string) => nav.current?.querySelector<HTMLElement>(selector);
    (find('[aria-current]') ?? find('a'))?.focus();
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

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
        <MenuLinks isShown={isOpen} troubles={troubles} onStay={onClose} onLeave={onLeave} />
        <footer className={styles.footer}>
          <Suspense>{isOpen && <VersionLine />}</Suspense>
        </footer>
      </nav>
    </>
  );
}

interface MenuLinksProps extends Pick<SideMenuProps, 'troubles'> {
  isShown: boolean;
  /** The admin chose the screen that is shown already. */
  onStay?: () => void;
  onLeave?: () => void;
}

/** The screens that the admin may open. */
export function MenuLinks({ isShown, troubles, onStay, onLeave }: MenuLinksProps) {
  const reviewCount = useReviewCount(isShown);
  const [location] = useLocation();
  const may = useMay();
  return routes.map(({ path, permission, menu }) => {
    if (!menu || (permission && !may(permission))) return null;
    const isHere = isAt(location, path);
    const toReview = menu.countsReviews && reviewCount !== '0' ? reviewCount : undefined;
    return (
      <Link
        key={path}
        href={path}
        title={menu.label}
        aria-description={toReview && `${toReview} need review`}
        className={styles.link}
        aria-current={isHere ? 'page' : isWithin(location, path) || undefined}
        onClick={isHere ? onStay : onLeave}
      >
        <menu.Icon />
        <span className={styles.label}>{menu.label}</span>
        {/* Drawn by the style sheet: the name of the link stays the name of the screen. */}
        {toReview && <span className={styles.count} data-count={toReview} />}
        <Dot trouble={troubles[path] ?? ''} />
      </Link>
    );
  });
}
