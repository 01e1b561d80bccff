import { isAt } from './isAt';

export const loginPath = '/';
export const firstScreen = '/Data';

/** Routes ignore case, so /QR is /Qr. */
const paths = ['/Data', '/Withdraw', '/QR', '/reg', '/Settings', '/client/:id'];

/** A remembered path, if it is a screen of this app; otherwise the fallback. */
export function screenOr(path: string | null, otherwise: string): string {
  const [pathname = ''] = (path ?? '').split('?');
  const isScreen = paths.some((href) => isAt(pathname, href));
  return isScreen && path ? path : otherwise;
}
