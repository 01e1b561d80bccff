import { useList } from '../../api/pagedList';
import { Link, useLocation, useSearch } from '../../ui/page/address';
import { Page } from '../../ui/page/Page';
import { type ShortColumn, ShortList } from '../../ui/table/ShortList';
import { formatMoment } from '../../ui/text/dates';
import { StatusLabel } from '../../ui/text/StatusLabel';
import { FilePicker } from './FilePicker';
import styles from './Importing.module.css';
import { type ImportEntry, importsOptions } from './imports';
import { namesOf, outcomeText, sizeText, states, totalSize } from './importTexts';
import { OneImport } from './OneImport';

/** Existing data moves in: files, their plan, their import. The import that is open is in the URL. */
export default function ImportScreen({ title }: { title: string }) {
  const [path, navigate] = useLocation();
  const opened = new URLSearchParams(useSearch()).get('import');
  const addressOf = (id: string) => `${path}?import=${encodeURIComponent(id)}`;
  return (
    <Page title={title} scroll="document">
      {opened ? (
        <OneImport key={opened} id={opened} listPath={path} />
      ) : (
        <>
          <FilePicker onStarted={(id) => navigate(addressOf(id))} />
          <Latest addressOf={addressOf} />
        </>
      )}
    </Page>
  );
}

function Latest({ addressOf }: { addressOf: (id: string) => string }) {
  const list = useList(importsOptions);
  const columns: ShortColumn<ImportEntry>[] = [
    {
      header: 'Files',
      cell: (one) => (
        <>
          <p className="medium wrap">{namesOf(one)}</p>
          <p className="tiny quiet">{sizeText(totalSize(one))}</p>
        </>
      ),
    },
    {
      header: 'State',
      cell: ({ state }) => (
        <div>
          <StatusLabel tone={states[state].tone}>{states[state].word}</StatusLabel>
        </div>
      ),
    },
    { header: 'Rows', cell: (one) => <span className="figures">{outcomeText(one) || '–'}</span> },
    { header: 'By', cell: ({ createdBy }) => createdBy },
    {
      header: 'Uploaded',
      cell: ({ createdAt }) => <span className="figures">{formatMoment(createdAt)}</span>,
    },
    {
      header: 'Actions',
      isAction: true,
      cell: (one) => (
        <Link
          href={addressOf(one._id)}
          aria-label={`Open ${namesOf(one)}, ${formatMoment(one.createdAt)}`}
          className={styles.open}
        >
          Open
        </Link>
      ),
    },
  ];
  return (
    <ShortList
      nouns="imports"
      list={list}
      columns={columns}
      intro="The latest imports. Import files within a day: after that, the next upload deletes them."
      beginning="Choose files above. You see what would happen before anything is imported."
      add={null}
    />
  );
}
