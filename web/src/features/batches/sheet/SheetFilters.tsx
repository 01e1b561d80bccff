import { Button } from '../../../ui/Button';
import { formatCount } from '../../../ui/text/rupees';
import type { BatchClaim } from './references';
import styles from './Sheet.module.css';
import type { useSheet } from './useSheet';
import { byKind, type WarningKind, warningNames } from './warnings';

interface FiltersProps {
  state: ReturnType<typeof useSheet>;
  warned: readonly BatchClaim[];
}

export function SheetFilters({ state, warned }: FiltersProps) {
  const named = byKind(warned).map(([code, claims]): [WarningKind, string, number] => [
    code,
    warningNames[code],
    claims.length,
  ]);
  const kinds: typeof named =
    named.length > 1 ? [['any', 'All warnings', warned.length], ...named] : named;
  return (
    <div className={styles.filters}>
      <input
        type="search"
        aria-label="Filter these claims"
        placeholder="Name, number, account, bank"
        value={state.text}
        onChange={({ target }) => state.setText(target.value)}
      />
      {kinds.length > 0 && (
        <fieldset aria-label="Warnings" className={styles.kinds}>
          {kinds.map(([kind, name, count]) => (
            <Button
              key={kind}
              size="row"
              aria-pressed={state.kind === kind}
              onClick={() => state.setKind(state.kind === kind ? null : kind)}
            >
              {`${name} ${formatCount(count)}`}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
