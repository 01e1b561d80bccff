import { isAt } from './isAt';

export const loginPath = '/';
export const firstScreen = '/Data';

/** Routes match in any case, so /QR is /Qr. */
const paths = ['/Data', '/Withdraw', '/QR', '/reg', '/Settings', '/client/:id'];

/** Where a path leads that was remembered: only ever to a screen of this app. */
export function screenOr(path: string | null, otherwise: string): string {
  const [pathname = ''] = (path ?? '').split('?');
  const isScreen = paths.some((href) => isAt(pathname, href));
  return isScreen && path ? path : otherwise;
}
