import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../entities/admin/admin';
import { Link } from '../../ui/address';
import styles from './LoginScreen.module.css';

export function SignedInAs({ destination }: { destination: string }) {
  const me = useQuery(meQuery);
  if (me.isPending) return null;
  return (
    <p className={styles.signedIn}>
      {me.data ? `You are signed in as ${me.data.username} - ` : 'You are signed in - '}
      <Link href={destination}>continue</Link>
    </p>
  );
}
