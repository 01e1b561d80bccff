import '../ui/tokens.css';
import '../ui/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { forgetEarly } from '../api/earlyAnswers';
import { createQueryClient } from '../api/queryClient';
import { getToken } from '../api/session';
import { showFont } from '../ui/fonts/font';
import { Desk } from './Desk';
import { loadScreenAt } from './screenFiles';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const isSignedIn = getToken() !== null;
const queryClient = createQueryClient();
void loadScreenAt(window.location.pathname, isSignedIn, queryClient).then(() => {
  createRoot(root).render(
    <StrictMode>
      <Desk queryClient={queryClient} />
    </StrictMode>,
  );
  setTimeout(forgetEarly, 1_000);
  // The login has no rows that loading the font could delay.
  if (!isSignedIn) void showFont().catch(() => undefined);
});
