import { isAt } from './isAt';
import { loadable } from './loadable';

export const LoginScreen = loadable(() => import('../features/admins/LoginScreen'));
export const PurchasesScreen = loadable(() => import('../features/purchases/PurchasesScreen'));
export const ClaimsScreen = loadable(() => import('../features/claims/ClaimsScreen'));
export const QrScreen = loadable(() => import('../features/qr/QrScreen'));
export const UsersScreen = loadable(() => import('../features/users/UsersScreen'));

const screens = [
  { href: '/Data', Screen: PurchasesScreen },
  { href: '/Withdraw', Screen: ClaimsScreen },
  { href: '/Qr', Screen: QrScreen },
  { href: '/reg', Screen: UsersScreen },
];

/** Loads what the path shows. A failure is told by the screen itself, when it is drawn. */
export async function loadScreenAt(pathname: string, isSignedIn: boolean): Promise<void> {
  const found = screens.find(({ href }) => isAt(pathname, href));
  const screen = isSignedIn && found ? found.Screen : LoginScreen;
  await screen.load().catch(() => undefined);
}

/** Loads all of them, so that a server that goes away later takes none. */
export function loadScreens() {
  for (const { load } of [LoginScreen, ...screens.map(({ Screen }) => Screen)]) {
    void load().catch(() => undefined);
  }
}
