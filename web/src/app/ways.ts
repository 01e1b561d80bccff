import { whereSessionEnded } from '../api/session';
import { firstScreen, screenOr } from './screens';

let lastScreen: string | null = null;

export function rememberScreen(path: string) {
  lastScreen = screenOr(path, firstScreen);
}

export function forgetScreen() {
  lastScreen = null;
}

/** After login: back to where a lost session threw the admin out, else to the first screen. */
export const destination = () => screenOr(whereSessionEnded(), firstScreen);

/** For an admin who is signed in on the login route: they opened it, or logged in again in another tab. */
export const cameFrom = () => lastScreen ?? destination();
