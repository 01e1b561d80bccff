import { type ReactNode, Suspense, useEffect } from 'react';
import { useToken } from '../api/session';
import { Redirect, useLocation } from '../ui/address';
import { TableToolsContext } from '../ui/table/tableTools';
import { BrokenScreen } from './BrokenScreen';
import { tableTools } from './extras';
import { Layout } from './Layout';
import { loginPath } from './screens';
import { forgetScreen, rememberScreen } from './ways';

/** Lets only a browser with a stored token pass. Whether it is valid is the server's to say. */
export function SignedIn({ children }: { children: ReactNode }) {
  const token = useToken();
  const [location] = useLocation();

  useEffect(() => {
    if (token) rememberScreen(location);
    else forgetScreen();
  }, [token, location]);

  if (!token) return <Redirect to={loginPath} />;
  // Keyed by the token: another admin, logged in from another tab, starts with a fresh screen.
  return (
    <Layout key={token}>
      {/* Inside the layout, and anew for each screen: one that cannot be loaded takes nothing else with it. */}
      <BrokenScreen key={location}>
        <TableToolsContext value={tableTools}>
          <Suspense>{children}</Suspense>
        </TableToolsContext>
      </BrokenScreen>
    </Layout>
  );
}
