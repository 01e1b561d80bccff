import { Redirect, useLocation } from '../ui/address';
import { useAllAtHand } from './extras';
import { SignedIn } from './SignedIn';
import { LoginScreen, screenAt } from './screenFiles';
import { loginPath } from './screens';
import { cameFrom, destination } from './ways';

export function App() {
  useAllAtHand();
  const [location] = useLocation();
  const Screen = screenAt(location);
  if (location === loginPath) return <LoginScreen destination={destination} cameFrom={cameFrom} />;
  return <SignedIn>{Screen ? <Screen /> : <Redirect to={loginPath} />}</SignedIn>;
}
