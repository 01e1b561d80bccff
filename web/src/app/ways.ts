import { whereSessionEnded } from '../api/session';
import { firstScreen, screenOr } from './screens';

let lastScreen: string | null = null;

export function rememberScreen(path: string) {
  lastScreen = screenOr(path, firstScreen);
}

export function forgetScreen() {
  lastScreen = null;
}

/** After login: the screen on which the session ended, otherwise the first screen. */
export const destination = () => screenOr(whereSessionEnded(), firstScreen);

/** For an admin on the login route who is already signed in: they opened it, or logged in again in another tab. */
export const cameFrom = () => lastScreen ?? destination();
