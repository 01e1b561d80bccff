import { type Finding, FindingsMark } from '../../ui/FindingsMark';
import { Clipped } from '../../ui/table/Clipped';
import styles from './MarkedReference.module.css';

interface MarkedReferenceProps {
  upiId: string;
  findings: readonly Finding[];
}

/** A transaction ID that is worth a look: the mark stays in sight where the ID is clipped. */
export function MarkedReference({ upiId, findings }: MarkedReferenceProps) {
  return (
    <span className={styles.line}>
      <Clipped header="Transaction ID">{upiId}</Clipped>
      <FindingsMark findings={findings} />
    </span>
  );
}
