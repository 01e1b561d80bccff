import { Button } from '../../ui/Button';
import { Link, useLocation } from '../../ui/page/address';
import { addressOfClient } from '../../ui/page/paths';
import { DayField } from '../../ui/table/filters/panel/TypedFields';
import styles from './StatementPeriod.module.css';
import { statementPeriods } from './statementPeriods';

/** Each choice takes effect at once and is in the URL. */
export default function StatementPeriod({
  id,
  from,
  to,
}: {
  id: string;
  from: string;
  to: string;
}) {
  const [location, navigate] = useLocation();
  const choose = (first: string, last: string) =>
    navigate(`${location}?${new URLSearchParams({ from: first, to: last })}`, { replace: true });
  return (
    <>
      <fieldset aria-label="Period" className={styles.period}>
        {statementPeriods().map((one) => (
          <Button
            key={one.name}
            aria-pressed={one.from === from && one.to === to}
            onClick={() => choose(one.from, one.to)}
          >
            {one.name}
          </Button>
        ))}
        <div className={styles.days}>
          <DayField
            filter={{ name: 'from', param: 'from', kind: 'day', label: 'First day' }}
            value={from}
            crossed=""
            onChoose={(day) => day && choose(day, to)}
          />
          <DayField
            filter={{ name: 'to', param: 'to', kind: 'day', label: 'Last day' }}
            value={to}
            crossed=""
            onChoose={(day) => day && choose(from, day)}
          />
        </div>
      </fieldset>
      {id && <Link href={addressOfClient(id)}>Back to client</Link>}
    </>
  );
}
