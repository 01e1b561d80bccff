import { Skeleton } from '../../ui/Skeleton';
import styles from './ClientScreen.module.css';

const bars = ['55%', '90%', '80%', '85%'];

/** About as high as the content that is loading. */
export function ClientSkeleton() {
  return (
    <div role="status" aria-label="Loading the client…">
      <div className={styles.totals} aria-hidden="true">
        {['1', '2', '3', '4', '5'].map((key) => (
          <div key={key} className={styles.total}>
            <Bars widths={['70%', '90%']} />
          </div>
        ))}
      </div>
      <div className={styles.columns} aria-hidden="true">
        {['left', 'right'].map((column) => (
          <div key={column} className={styles.column}>
            {['upper', 'lower'].map((section) => (
              <div key={section} className={styles.section}>
                <Bars widths={bars} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Bars({ widths }: { widths: readonly string[] }) {
  return (
    <div className={styles.bars}>
      {widths.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
