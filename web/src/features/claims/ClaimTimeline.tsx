import { ClaimStatusLabel } from '../../entities/claim/ClaimStatusLabel';
import type { ClaimDetails } from '../../entities/claim/claim';
import { formatMoment } from '../../ui/dates';
import styles from './ClaimPanel.module.css';
import { PanelSection } from './PanelSection';

type Step = ClaimDetails['timeline'][number];

/** The history of the claim. The latest step comes first, because it is what admins look for most. */
export function ClaimTimeline({ timeline }: { timeline: readonly Step[] }) {
  return (
    <PanelSection title="Timeline">
      <ol className={styles.timeline}>
        {timeline.toReversed().map((step) => (
          <li key={step.number} className={styles.step}>
            <ClaimStatusLabel status={step.to} />
            <span className={styles.who}>
              {whoOf(step)}
              <time dateTime={step.at}>{formatMoment(step.at)}</time>
            </span>
            {step.reason && <q className={styles.reason}>{step.reason}</q>}
            {step.reference && (
              <span className={styles.reference}>{`Bank reference ${step.reference}`}</span>
            )}
          </li>
        ))}
      </ol>
    </PanelSection>
  );
}

const whoOf = ({ from, by }: Step) => {
  if (from === null) return 'Requested by the client, ';
  return by === null ? '' : `by ${by}, `;
};
