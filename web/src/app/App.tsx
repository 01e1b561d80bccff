import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import {
  getToken,
  getUsername,
  onSessionChange,
  useToken,
  whereSessionEnded,
} from '../api/session';
import { Redirect, rowInAddress, useLocation, withoutRow } from '../ui/page/address';
import { addressOfClient } from '../ui/page/paths';
import { useQuietKeys } from '../ui/page/quietKeys';
import { BrokenScreen } from './BrokenScreen';
import { Layout } from './Layout';
import { login, loginPath, routeAt, screenOr } from './routes';

/** The app with its providers. The query cache is cleared with the session: no admin sees the data of another. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useState(rememberLink);
  useQuietKeys();
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
  if (location === loginPath) {
    return (
      <Suspense>
        <login.Screen destination={destination} cameFrom={cameFrom} />
      </Suspense>
    );
  }
  const route = routeAt(location);
  // The plural, as in the API.
  if (/^\/clients\/./i.test(location)) return <Redirect to={addressOfClient(location.slice(9))} />;
  if (!route) return <Redirect to={loginPath} />;
  if (route.isOpen) {
    return (
      <Suspense>
        <route.Screen title={route.title} />
      </Suspense>
    );
  }
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
      <BrokenScreen key={withoutRow(location)}>
        <Suspense>{children}</Suspense>
      </BrokenScreen>
    </Layout>
  );
}

let lastScreen: string | null = null;
let linked: string | null = null;

/** Somebody sent the link to a row, which was opened without a session: the login leads to it, until a logout. */
function rememberLink() {
  const { pathname, search } = window.location;
  linked = !getToken() && rowInAddress() ? pathname + search : null;
}

onSessionChange(() => {
  if (!getToken()) linked = null;
});

/** After login: the screen on which the session ended, otherwise the first screen. */
const destination = (username: string | null) => screenOr(whereSessionEnded(username) ?? linked);

/** For an admin on the login route who is already signed in: they opened it, or logged in again in another tab. */
const cameFrom = () => lastScreen ?? destination(getUsername());
