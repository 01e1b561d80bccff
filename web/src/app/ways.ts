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

/** For an admin who opens the login route while signed in. */
export const cameFrom = () => lastScreen ?? firstScreen;
