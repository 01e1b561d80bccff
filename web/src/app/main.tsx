import '../ui/tokens.css';
import '../ui/page.css';
import '../ui/busy.css';
import '../ui/looks.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/queryClient';
import { getToken } from '../api/session';
import { showFont, showKnownFont } from '../ui/fonts/font';
import { App } from './App';
import { login, routeAt } from './routes';
import { showRememberedTheme } from './theme';

/** Longer than it takes to read an answer that has arrived, but too short to be noticed as a delay. */
const patienceMilliseconds = 100;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const queryClient = createQueryClient();
const render = () =>
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  );
// If anything fails here, the screen reports it when it is rendered.
void prepareFirstView().then(render, render);

/** Loads the screen and its first rows in parallel. */
async function prepareFirstView() {
  showRememberedTheme();
  const { pathname } = window.location;
  const route = getToken() ? routeAt(pathname) : undefined;
  if (!route) {
    showFont();
    return login.preload();
  }
  showKnownFont();
  const id = decodeURIComponent(pathname.split('/')[2] ?? '');
  const rows = route.readFirst(queryClient, id);
  await route.preload();
  // Rendering the rows at once saves rendering placeholders; but a slow server must not keep the page empty.
  const patience = new Promise((done) => setTimeout(done, patienceMilliseconds));
  await Promise.race([rows, patience]);
}
