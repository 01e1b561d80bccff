import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { loadable } from '../ui/loadable';
import { isAt } from './isAt';

export const LoginScreen = loadable(() => import('../features/admins/LoginScreen'));

interface ScreenFile {
  default: ComponentType;
  /** Reads what its first view shows. */
  readFirst?: (client: QueryClient) => Promise<void>;
}

const screen = (load: () => Promise<ScreenFile>) => loadable(load);

const screens = [
  { href: '/Data', Screen: screen(() => import('../features/purchases/PurchasesScreen')) },
  { href: '/Withdraw', Screen: screen(() => import('../features/claims/ClaimsScreen')) },
  { href: '/Qr', Screen: screen(() => import('../features/qr/QrScreen')) },
  { href: '/reg', Screen: screen(() => import('../features/users/UsersScreen')) },
  { href: '/Settings', Screen: screen(() => import('../features/policy/SettingsScreen')) },
  { href: '/client/:id', Screen: screen(() => import('../features/clients/ClientScreen')) },
];

export const screenAt = (pathname: string) =>
  screens.find(({ href }) => isAt(pathname, href))?.Screen;

/** Longer than an answer that was asked for early takes to be read, shorter than a wait for it would be felt. */
const patienceMilliseconds = 100;

/**
 * Loads what the path shows, with the rows of it that are here already: drawn at once, they save drawing the
 * placeholders. A failure is told by the screen itself, when it is drawn.
 */
export async function loadScreenAt(pathname: string, isSignedIn: boolean, client: QueryClient) {
  const Screen = isSignedIn ? screenAt(pathname) : undefined;
  if (!Screen) return void (await LoginScreen.load().catch(() => undefined));
  const file = await Screen.load().catch(() => undefined);
  const patience = new Promise((done) => setTimeout(done, patienceMilliseconds));
  await Promise.race([file?.readFirst?.(client), patience]);
}

/** Loads all of them, so that a server that goes away later takes none. */
export function loadScreens() {
  for (const { load } of [LoginScreen, ...screens.map(({ Screen }) => Screen)]) {
    void load().catch(() => undefined);
  }
}
