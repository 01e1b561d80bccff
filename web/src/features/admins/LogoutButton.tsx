import { endSession } from '../../api/session';
import { Button } from '../../ui/Button';
import { LogoutIcon } from '../../ui/icons/icons';
import { revokeSession } from './adminsQuery';

export function LogoutButton() {
  const logOut = () => {
    revokeSession();
    endSession();
  };
  return (
    <Button onClick={logOut}>
      <LogoutIcon />
      Logout
    </Button>
  );
}
