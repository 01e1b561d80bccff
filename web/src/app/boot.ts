/*
 * Runs in the head of the page, before the app's own script has come: a file of its own, for the content security
 * policy forbids scripts inside the page. Whatever goes wrong here, the app does by itself a moment later.
 */
import { askEarly } from '../api/earlyAnswers';
import { showKnownFont } from '../ui/fonts/font';
import { firstCalls } from './firstCalls';
import { isAt } from './isAt';
import { showRememberedTheme } from './rememberedTheme';
import { warmFormats } from './warmFormats';

/** By path, the file that each screen is in; the build fills it in. */
declare const SCREEN_FILES: Record<string, string>;

function fetchAhead(file: string | undefined) {
  if (!file) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = file;
  document.head.append(link);
}

function boot() {
  const { pathname, search } = window.location;
  const token = localStorage.getItem('token');
  const screen = Object.keys(SCREEN_FILES).find((href) => isAt(pathname, href));
  if (token && screen) for (const call of firstCalls(pathname, search)) askEarly(call, token);
  fetchAhead(SCREEN_FILES[token && screen ? screen : '/']);
}

// Storage may be forbidden; the system's preferences then decide, and the app tells what it cannot do.
for (const start of [showRememberedTheme, boot, showKnownFont]) {
  try {
    start();
  } catch {}
}
// Only now: what it asked for is on its way.
setTimeout(warmFormats);
