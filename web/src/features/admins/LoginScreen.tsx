import { useToken, whereSessionEnded } from '../../api/session';
import { Alert } from '../../ui/Alert';
import { Logo } from '../../ui/icons/Logo';
import { useScreenTitle } from '../../ui/screenTitle';
import { LoginForm } from './LoginForm';
import styles from './LoginScreen.module.css';
import { SignedInAs } from './SignedInAs';

interface LoginScreenProps {
  /** Where to go after the login. */
  destination: () => string;
  /** Where an admin who is already signed in came from. */
  cameFrom: () => string;
}

export function LoginScreen({ destination, cameFrom }: LoginScreenProps) {
  const token = useToken();
  useScreenTitle('Login');

  return (
    <main className={styles.screen}>
      <div className={styles.column}>
        <p className={styles.brand}>
          <Logo />
          Countinghouse
        </p>
        {token && <SignedInAs key={token} destination={cameFrom()} />}
        {!token && whereSessionEnded() !== null && (
          <Alert tone="plain">
            <p>Your session has ended. Please log in again.</p>
          </Alert>
        )}
        <div className={styles.panel}>
          <h1 className={styles.title}>Login</h1>
          <LoginForm destination={destination} />
        </div>
      </div>
    </main>
  );
}
