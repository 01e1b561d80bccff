import { Button } from '../../ui/Button';
import { LogoutIcon } from '../../ui/icons/icons';
import { logOut } from './logOut';

export function LogoutButton() {
  return (
    <Button onClick={logOut}>
      <LogoutIcon />
      Logout
    </Button>
  );
}
