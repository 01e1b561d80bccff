import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect } from 'react';
import { onSessionChange, useToken, whereSessionEnded } from '../api/session';
import { LoginScreen } from '../features/admins/LoginScreen';
import { Redirect, useLocation } from '../ui/page/address';
import { BrokenScreen } from './BrokenScreen';
import { Layout } from './Layout';
import { loginPath, routeAt, screenOr } from './routes';

/** The app with its providers. The query cache is cleared with the session: no admin sees the data of another. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(() => onSessionChange(() => queryClient.clear()), [queryClient]);
  return (
    <QueryClientProvider client={queryClient}>
      <BrokenScreen>
        <Router />
      </BrokenScreen>
    </QueryClientProvider>
  );
}

function Router() {
  const [location] = useLocation();
  if (location === loginPath) return <LoginScreen destination={destination} cameFrom={cameFrom} />;
  const route = routeAt(location);
  if (!route) return <Redirect to={loginPath} />;
  return (
    <SignedIn>
      <route.Screen title={route.title} />
    </SignedIn>
  );
}

/** Requires a stored token. Only the server can say whether it is valid. */
function SignedIn({ children }: { children: ReactNode }) {
  const token = useToken();
  const [location] = useLocation();

  useEffect(() => {
    lastScreen = token ? screenOr(location) : null;
  }, [token, location]);

  if (!token) return <Redirect to={loginPath} />;
  // Keyed by the token: another admin who logs in from another tab starts with a fresh screen.
  return (
    <Layout key={token}>
      {/* Inside the layout, and one per screen: if a screen fails to load, the rest of the app keeps working. */}
      <BrokenScreen key={location}>
        <Suspense>{children}</Suspense>
      </BrokenScreen>
    </Layout>
  );
}

let lastScreen: string | null = null;

/** After login: the screen on which the session ended, otherwise the first screen. */
const destination = () => screenOr(whereSessionEnded());

/** For an admin on the login route who is already signed in: they opened it, or logged in again in another tab. */
const cameFrom = () => lastScreen ?? destination();
