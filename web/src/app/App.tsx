import { lazy } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SignedIn } from './SignedIn';
import { cameFrom, destination } from './ways';

const LoginScreen = lazy(() => import('../features/admins/LoginScreen'));
const PurchasesScreen = lazy(() => import('../features/purchases/PurchasesScreen'));
const ClaimsScreen = lazy(() => import('../features/claims/ClaimsScreen'));
const QrScreen = lazy(() => import('../features/qr/QrScreen'));
const UsersScreen = lazy(() => import('../features/users/UsersScreen'));

export function App() {
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
