import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { loadable } from '../ui/loadable';
import { isAt } from './isAt';

export const LoginScreen = loadable(() => import('../features/admins/LoginScreen'));

interface ScreenFile {
  default: ComponentType;
  /** Prefetches the data of the first view. */
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

/** Longer than it takes to read an early response that has arrived, but too short to be noticed as a delay. */
const patienceMilliseconds = 100;

/**
 * Loads the screen of the path, with its first rows if they have already arrived: rendering them at once saves
 * rendering the placeholders. If loading fails, the screen reports it when it is rendered.
 */
export async function loadScreenAt(pathname: string, isSignedIn: boolean, client: QueryClient) {
  const Screen = isSignedIn ? screenAt(pathname) : undefined;
  if (!Screen) return void (await LoginScreen.load().catch(() => undefined));
  const file = await Screen.load().catch(() => undefined);
  const patience = new Promise((done) => setTimeout(done, patienceMilliseconds));
  await Promise.race([file?.readFirst?.(client), patience]);
}

/** Preloads all screens, so that they still open if the server becomes unreachable later. */
export function loadScreens() {
  for (const { load } of [LoginScreen, ...screens.map(({ Screen }) => Screen)]) {
    void load().catch(() => undefined);
  }
}
