import { useEffect, useRef } from 'react';
import { Link, useLocation } from '../ui/address';
import { Button } from '../ui/Button';
import { CloseIcon } from '../ui/icons/CloseIcon';
import { Logo } from '../ui/icons/Logo';
import { PurchasesIcon } from '../ui/icons/PurchasesIcon';
import { QrIcon } from '../ui/icons/QrIcon';
import { SettingsIcon } from '../ui/icons/SettingsIcon';
import { UsersIcon } from '../ui/icons/UsersIcon';
import { WithdrawIcon } from '../ui/icons/WithdrawIcon';
import { isAt } from './isAt';
import styles from './SideMenu.module.css';

const menu = [
  { href: '/Data', label: 'Data', Icon: PurchasesIcon },
  { href: '/Withdraw', label: 'Withdraw', Icon: WithdrawIcon },
  { href: '/QR', label: 'QR', Icon: QrIcon },
  { href: '/reg', label: 'User Registre Data', Icon: UsersIcon },
  { href: '/Settings', label: 'Settings', Icon: SettingsIcon },
];

interface SideMenuProps {
  isOpen: boolean;
  onClose: () => void;
  /** The admin chose another screen, which takes the focus itself. */
  onLeave: () => void;
}

export default function SideMenu({ isOpen, onClose, onLeave }: SideMenuProps) {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const find = (selector: string) => nav.current?.querySelector<HTMLElement>(selector);
    (find('[aria-current="page"]') ?? find('a'))?.focus();
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
        {menu.map(({ href, label, Icon }) => {
          const isHere = isAt(location, href);
          return (
            <Link
              key={href}
              href={href}
              className={styles.link}
              aria-current={isHere ? 'page' : undefined}
              onClick={isHere ? onClose : onLeave}
            >
              <Icon />
              {label}
            </Link>
          );
        })}
      </nav>
    </>
  );
}
