import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { Button } from '../../ui/Button';
import { DownloadIcon } from '../../ui/icons/icons';
import { Alert, Lines } from '../../ui/notices/Alert';
import { countOf, formatCount } from '../../ui/text/rupees';
import styles from './Importing.module.css';
import { type BadRow, type Import, type MappedCollection, readBadRows } from './imports';
import { nounLabels, nouns } from './importTexts';
import { saveFile } from './saveFile';
import { TotalsTables } from './TotalsTables';

/** What the plan found, or what the import did. */
export function Findings({ found }: { found: Import }) {
  return (
    <>
      <Outcomes found={found} />
      {found.hasBadRows && <BadRows found={found} />}
      <TotalsTables found={found} />
    </>
  );
}

function Outcomes({ found: { report, state } }: { found: Import }) {
  const title = state === 'done' ? 'Result' : 'Plan';
  const columns = [
    ['created', state === 'done' ? 'Imported' : 'To import'],
    ['unchanged', 'Already there'],
    ['conflict', 'Conflict'],
    ['invalid', 'Bad'],
  ] as const;
  return (
    <section aria-labelledby="outcomes" className={styles.section}>
      <h3 id="outcomes" className="subheading">
        {title}
      </h3>
      <table aria-label={title} className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Rows</span>
            </th>
            {columns.map(([outcome, label]) => (
              <th key={outcome} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {nouns.map((noun) => {
            const outcomes = report?.outcomes[noun];
            return (
              outcomes && (
                <tr key={noun}>
                  <th scope="row">{nounLabels[noun]}</th>
                  {columns.map(([outcome]) => (
                    <td key={outcome}>{formatCount(outcomes[outcome] ?? 0)}</td>
                  ))}
                </tr>
              )
            );
          })}
        </tbody>
      </table>
      <p className="tiny quiet">
        A row that is in the desk already stays as it is. In a conflict it differs from the one in
        the desk, and is left out like a bad row.
      </p>
    </section>
  );
}

const firstShown = 10;

const outcomeWords: Record<BadRow['outcome'], string> = {
  invalid: 'Bad',
  conflict: 'Conflict',
  created: 'Imported',
  unchanged: 'Imported',
  imported: 'Remark, imported',
};

export function BadRows({ found }: { found: Import }) {
  const { _id, report, bad } = found;
  const [isAll, setIsAll] = useState(false);
  const saving = useMutation({
    mutationFn: async () => saveFile(await readBadRows(_id), `import-errors-${_id}.csv`),
  });
  const rows = report?.firstBad ?? [];
  const shown = isAll ? rows : rows.slice(0, firstShown);
  const notes = report?.notes ?? 0;
  const counted = [
    ...(bad > 0 ? [countOf(bad, 'bad row')] : []),
    ...(notes > 0 ? [countOf(notes, 'remark')] : []),
  ].join(', ');
  // A check that has stopped counts nothing.
  const title = counted || 'The first bad rows';
  return (
    <section aria-labelledby="bad-rows" className={styles.section}>
      <div className={styles.sectionHead}>
        <h3 id="bad-rows" className="subheading">
          {title}
        </h3>
        <Button size="row" aria-busy={saving.isPending} onClick={() => saving.mutate()}>
          <DownloadIcon />
          Download all as CSV
        </Button>
      </div>
      {saving.error && (
        <Alert tone="bad">
          <Lines lines={['The rows could not be downloaded.', sentenceOf(saving.error)]} />
        </Alert>
      )}
      <ol className={styles.rows}>
        {shown.map((row, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
          <li key={place} className={styles.badRow}>
            <p className="figures">
              <span className="medium">{row.place}</span>
              <span className="tiny quiet">{` ${row.file}`}</span>
            </p>
            <p className="tiny quiet">
              {outcomeWords[row.outcome]}
              {row.field && `: ${row.field}`}
            </p>
            <p className="wrap">
              {row.reason}
              {row.value && (
                <>
                  {' '}
                  <code className={styles.value}>{row.value}</code>
                </>
              )}
            </p>
          </li>
        ))}
      </ol>
      {rows.length > shown.length && (
        <Button size="row" className={styles.alone} onClick={() => setIsAll(true)}>
          {`Show ${formatCount(rows.length)}`}
        </Button>
      )}
      <p className="tiny quiet">The file contains personal data. Delete it when you are done.</p>
    </section>
  );
}

/** Why there is no plan yet: what the map lacks. */
export function Incomplete({ found: { report } }: { found: Import }) {
  const collections = report?.collections ?? [];
  const lacking = collections.filter(({ missing }) => missing.length > 0);
  const lines =
    lacking.length > 0
      ? lacking.map(lackText)
      : collections.some(({ noun }) => noun !== null)
        ? ['These files contain no rows.']
        : [
            'Nothing in these files looks like users, purchases, claims or QR codes. Say below what they are.',
          ];
  return (
    <Alert tone="plain">
      <Lines lines={['Nothing can be imported yet.', ...lines]} />
    </Alert>
  );
}

const lackText = ({ name, missing }: MappedCollection) =>
  `${name}: no field for ${missing.join(', ')}. Choose one below, or give a value for all rows.`;
