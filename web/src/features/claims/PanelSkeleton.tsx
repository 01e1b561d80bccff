import { Skeleton } from '../../ui/Skeleton';
import styles from './ClaimPanel.module.css';

const sections = [
  ['arithmetic', ['60%', '60%', '60%', '60%', '60%']],
  ['timeline', ['80%', '70%']],
  ['purchases', ['90%', '90%']],
] as const;

/** About as high as the content that is loading. */
export function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading the details…">
      {sections.map(([name, widths]) => (
        <div key={name} className={styles.section} aria-hidden="true">
          <div className={styles.bar}>
            <Skeleton width="96px" />
          </div>
          {widths.map((width, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity and never move
            <div key={place} className={styles.bar}>
              <Skeleton width={width} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
