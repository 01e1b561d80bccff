import { PurchasesIcon } from '../ui/icons/PurchasesIcon';
import { QrIcon } from '../ui/icons/QrIcon';
import { UsersIcon } from '../ui/icons/UsersIcon';
import { WithdrawIcon } from '../ui/icons/WithdrawIcon';

export const loginPath = '/';
export const firstScreen = '/Data';

/** The side menu, in its order. Routes match in any case, so /QR is /Qr. */
export const menu = [
  { href: '/Data', label: 'Data', Icon: PurchasesIcon },
  { href: '/Withdraw', label: 'Withdraw', Icon: WithdrawIcon },
  { href: '/QR', label: 'QR', Icon: QrIcon },
  { href: '/reg', label: 'User Registre Data', Icon: UsersIcon },
] as const;

/** Where a path leads that was remembered: only ever to a screen of this app. */
export function screenOr(path: string | null, otherwise: string): string {
  const [pathname = ''] = (path ?? '').split('?');
  const isScreen = menu.some(({ href }) => href.toLowerCase() === pathname.toLowerCase());
  return isScreen && path ? path : otherwise;
}
