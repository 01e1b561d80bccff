import { Redirect, Route, Switch } from 'wouter';
import { useAllAtHand } from './extras';
import { SignedIn } from './SignedIn';
import { ClaimsScreen, LoginScreen, PurchasesScreen, QrScreen, UsersScreen } from './screenFiles';
import { cameFrom, destination } from './ways';

export function App() {
  useAllAtHand();
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
