import { type Finding, FindingsMark } from '../../ui/popover/FindingsMark';
import { Clipped } from '../../ui/table/rows/TableRow';
import styles from './MarkedReference.module.css';

interface MarkedReferenceProps {
  upiId: string;
  findings: readonly Finding[];
}

/** A transaction ID with findings. The mark stays visible when the ID is truncated. */
export function MarkedReference({ upiId, findings }: MarkedReferenceProps) {
  return (
    <span className={styles.line}>
      <Clipped header="Transaction ID">{upiId}</Clipped>
      <FindingsMark findings={findings} />
    </span>
  );
}
