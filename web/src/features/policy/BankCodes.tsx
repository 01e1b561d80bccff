import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { formatDay } from '../../ui/dates';
import { formatCount } from '../../ui/rupees';
import { banksOptions } from './banksQuery';
import styles from './Settings.module.css';

/** The version of the bank code data that the app uses, and how to update it. */
export function BankCodes() {
  const { data, isError } = useQuery(banksOptions);
  const id = useId();
  return (
    <section className={styles.rules} aria-labelledby={id}>
      <div className={styles.rule}>
        <h2 id={id} className={styles.title}>
          Bank codes
        </h2>
        <p className={styles.does}>
          {data
            ? `${formatCount(data.codes)} IFSC codes of ${formatCount(data.banks)} banks: version ${data.dataVersion}, fetched on ${formatDay(`${data.fetchedOn}T00:00`)}.`
            : isError
              ? 'The version of the bank code list could not be loaded.'
              : 'Reading the version…'}
        </p>
        <div className={styles.looser}>
          <p>
            They name the bank under each IFSC and mark codes that no branch has. The operator
            fetches newer ones with:
          </p>
          <code className={styles.code}>scripts/refresh_bank_codes</code>
        </div>
      </div>
    </section>
  );
}
