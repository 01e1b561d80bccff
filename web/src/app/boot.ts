/*
 * Runs in the head of the page, before the app's own script has loaded. It is a separate file because the content
 * security policy forbids inline scripts. If anything fails here, the app does the same work a moment later.
 */
import { askEarly } from '../api/earlyAnswers';
import { showKnownFont } from '../ui/fonts/font';
import { firstCalls } from './firstCalls';
import { isAt } from './isAt';
import { showRememberedTheme } from './rememberedTheme';
import { warmFormats } from './warmFormats';

/** The file of each screen by path; filled in by the build. */
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

// Storage may be blocked: then the system's preferences apply, and the app reports what does not work.
for (const start of [showRememberedTheme, boot, showKnownFont]) {
  try {
    start();
  } catch {}
}
// Deferred until the requests have been sent.
setTimeout(warmFormats);
