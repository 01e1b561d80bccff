import { lazy, useEffect } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SignedIn } from './SignedIn';
import { cameFrom, destination } from './ways';

const load = {
  login: () => import('../features/admins/LoginScreen'),
  purchases: () => import('../features/purchases/PurchasesScreen'),
  claims: () => import('../features/claims/ClaimsScreen'),
  qr: () => import('../features/qr/QrScreen'),
  users: () => import('../features/users/UsersScreen'),
};
const LoginScreen = lazy(load.login);
const PurchasesScreen = lazy(load.purchases);
const ClaimsScreen = lazy(load.claims);
const QrScreen = lazy(load.qr);
const UsersScreen = lazy(load.users);

/** Fetches the other screens once the first one stands, so that a server that goes away later takes none of them. */
function useScreensAtHand() {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const screen of Object.values(load)) void screen().catch(() => undefined);
    }, 2_000);
    return () => clearTimeout(timer);
  }, []);
}

export function App() {
  useScreensAtHand();
  return (
    <Switch>
      <Route path="/">
        <LoginScreen destination={destination} cameFrom={cameFrom} />
      </Route>
      <Route>
        <SignedIn>
          <Switch>
            <Route path="/Data" component={PurchasesScreen} />
            <Route path="/Withdraw" component={ClaimsScreen} />
            <Route path="/Qr" component={QrScreen} />
            <Route path="/reg" component={UsersScreen} />
            <Route>
              <Redirect to="/" replace />
            </Route>
          </Switch>
        </SignedIn>
      </Route>
    </Switch>
  );
}
