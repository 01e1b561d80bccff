import { Alert, Lines } from '../../ui/notices/Alert';
import styles from './Webhooks.module.css';

/** Why something was not done, in a dialog or a panel. */
export const Failure = ({ children }: { children: string }) => (
  <div className={styles.failure}>
    <Alert tone="bad">
      <Lines lines={[children]} />
    </Alert>
  </div>
);
