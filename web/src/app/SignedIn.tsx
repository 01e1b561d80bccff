import { type ReactNode, Suspense, useEffect } from 'react';
import { useToken } from '../api/session';
import { Redirect, useLocation } from '../ui/address';
import { TableToolsContext } from '../ui/table/tableTools';
import { BrokenScreen } from './BrokenScreen';
import { tableTools } from './extras';
import { Layout } from './Layout';
import { loginPath } from './screens';
import { forgetScreen, rememberScreen } from './ways';

/** Requires a stored token. Only the server can say whether it is valid. */
export function SignedIn({ children }: { children: ReactNode }) {
  const token = useToken();
  const [location] = useLocation();

  useEffect(() => {
    if (token) rememberScreen(location);
    else forgetScreen();
  }, [token, location]);

  if (!token) return <Redirect to={loginPath} />;
  // Keyed by the token: another admin who logs in from another tab starts with a fresh screen.
  return (
    <Layout key={token}>
      {/* Inside the layout, and one per screen: if a screen fails to load, the rest of the app keeps working. */}
      <BrokenScreen key={location}>
        <TableToolsContext value={tableTools}>
          <Suspense>{children}</Suspense>
        </TableToolsContext>
      </BrokenScreen>
    </Layout>
  );
}
