import { useState } from 'react';
import { getUsername } from '../api/session';
import { logOut } from '../features/admins/logOut';
import { Button } from '../ui/Button';
import { AccountIcon } from '../ui/icons/icons';
import { useLocation } from '../ui/page/address';
import { accountPath } from '../ui/page/paths';
import { Menu } from '../ui/popover/Menu';
import styles from './Layout.module.css';
import { otherTheme } from './theme';

/** Who is signed in, and what they can change for themselves. */
export function AccountMenu({ onKeys }: { onKeys: () => void }) {
  const [, navigate] = useLocation();
  // Known from the login. The menu also works without it.
  const name = getUsername() ?? '';
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);

  const theme = otherTheme();
  return (
    <>
      <Button
        aria-label={name ? `Account of ${name}` : 'Account'}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <AccountIcon />
        <span className={styles.word}>{name}</span>
      </Button>
      {anchor && (
        <Menu
          label="Account"
          anchor={anchor}
          items={[
            {
              label: theme.name === 'dark' ? 'Dark theme' : 'Light theme',
              onChoose: theme.choose,
            },
            { label: 'Keyboard shortcuts', hint: '?', onChoose: onKeys },
            {
              label: 'Change password',
              isApart: true,
              onChoose: () => navigate(accountPath),
            },
            { label: 'My sessions', onChoose: () => navigate(accountPath) },
            { label: 'Logout', isApart: true, onChoose: logOut },
          ]}
          onClose={() => setAnchor(null)}
        />
      )}
    </>
  );
}
