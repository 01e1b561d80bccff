import { ConfirmDialog } from '../../ui/parts';
import { formatRupees } from '../../ui/rupees';
import type { Claim } from './claimsQuery';
import styles from './PayConfirm.module.css';

interface PayConfirmProps {
  claim: Claim;
  onConfirm: () => void;
  onCancel: () => void;
}

export function PayConfirm({ claim, onConfirm, onCancel }: PayConfirmProps) {
  return (
    <ConfirmDialog
      title="Mark as paid?"
      confirmLabel="Paid Success"
      confirmLook="filled"
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{`${claim.user.username} · ${claim.user.mobile}`}</p>
      <p className={styles.account}>{`Account ${claim.accountNo} · IFSC ${claim.ifsc}`}</p>
      <p className={styles.amount}>{formatRupees(claim.amount)}</p>
      <p className={styles.warning}>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
