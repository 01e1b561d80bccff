import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentencesOf } from '../../api/errors';
import { useReading } from '../../api/pagedList';
import { useStore } from '../../api/store';
import { Button } from '../../ui/Button';
import { Alert, Lines, LoadTrouble } from '../../ui/notices/Alert';
import { Link } from '../../ui/page/address';
import { formatMoment } from '../../ui/text/dates';
import { Skeleton } from '../../ui/text/Skeleton';
import { StatusLabel } from '../../ui/text/StatusLabel';
import styles from './Importing.module.css';
import { ImportProgress, UploadProgress } from './ImportProgress';
import {
  cancelPlan,
  type Import,
  type ImportMap,
  importOptions,
  importsOptions,
  planImport,
  runImport,
} from './imports';
import { agreement, namesOf, sizeText, states, totalSize } from './importTexts';
import { uploads } from './importUploads';
import { MapEditor } from './MapEditor';
import { draftOf, type MapDraft } from './mapDraft';
import { BadRows, Findings, Incomplete } from './Report';
import { RunControls } from './RunControls';

/** One import, in whatever state it is: a reload or another tab shows the same. */
export function OneImport({ id, listPath }: { id: string; listPath: string }) {
  const client = useQueryClient();
  const reading = useReading(importOptions(id));
  const { data, error } = reading;
  const isUploading = useStore(uploads, (jobs) => jobs.some((job) => job.id === id));
  useEffect(() => {
    // The upload of this page has ended, and the server has begun to check the files.
    if (!isUploading) void client.invalidateQueries({ queryKey: importsOptions.queryKey });
  }, [client, isUploading]);

  return (
    <div className={styles.one}>
      <Link href={listPath} className={styles.back}>
        All imports
      </Link>
      <LoadTrouble what="The import" isLoaded={data !== undefined} reading={reading} />
      {data && <Loaded found={data} />}
      {!data && !error && (
        <div role="status" aria-label="Loading the import…" className={styles.skeleton}>
          {['40%', '60%', '50%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
    </div>
  );
}

function Loaded({ found }: { found: Import }) {
  const { _id, state, failure, report, good, bad } = found;
  const client = useQueryClient();
  const [edited, setEdited] = useState<MapDraft | null>(null);
  const after = {
    onSuccess: (next: Import) => {
      client.setQueryData(importOptions(_id).queryKey, next);
      setEdited(null);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: importsOptions.queryKey }),
  };
  const planning = useMutation({ mutationFn: (map: ImportMap) => planImport(_id, map), ...after });
  const running = useMutation({
    mutationFn: (stop: boolean) => runImport(_id, found.map, stop),
    ...after,
  });
  const cancelling = useMutation({ mutationFn: () => cancelPlan(_id), ...after });
  const refused = planning.error ?? running.error ?? cancelling.error;
  const isBusy = planning.isPending || running.isPending;
  const isPlanned = good + bad > 0;
  const canChange = state === 'planned' || state === 'failed' || state === 'interrupted';
  const canEdit = canChange && report !== null && report.collections.length > 0;

  return (
    <>
      <Head found={found} />
      {state === 'uploading' && (
        <UploadProgress
          found={found}
          isBusy={isBusy}
          onCheck={() => !isBusy && planning.mutate({})}
        />
      )}
      <ImportProgress found={found} />
      {state === 'planning' && (
        <Button
          className={styles.alone}
          aria-busy={cancelling.isPending}
          onClick={() => !cancelling.isPending && cancelling.mutate()}
        >
          Cancel the check
        </Button>
      )}
      {canChange && failure && (
        <Alert tone="bad">
          <Lines lines={[failure]} />
        </Alert>
      )}
      {state === 'interrupted' && (
        <Alert tone="bad">
          <Lines
            lines={[
              isPlanned ? 'The import was interrupted.' : 'The check was interrupted.',
              isPlanned
                ? 'Rows already imported stay. Import again to add the rest.'
                : 'Nothing was imported. Check the files again.',
            ]}
          />
        </Alert>
      )}
      {refused && (
        <Alert tone="bad">
          <Lines lines={sentencesOf(refused)} />
        </Alert>
      )}
      {state === 'done' && <Agreement found={found} />}
      {state === 'planned' && !isPlanned && <Incomplete found={found} />}
      {canChange && isPlanned && (
        <RunControls
          found={found}
          isEdited={edited !== null}
          isBusy={isBusy}
          onRun={(stop) => running.mutate(stop)}
        />
      )}
      {(canChange || state === 'done') && isPlanned && <Findings found={found} />}
      {state === 'failed' && !isPlanned && found.hasBadRows && <BadRows found={found} />}
      {canEdit && (
        <MapEditor
          found={found}
          draft={edited ?? draftOf(found)}
          isEdited={edited !== null}
          isBusy={isBusy}
          onEdit={setEdited}
          onCheck={(map) => planning.mutate(map)}
        />
      )}
      {canChange && !canEdit && (
        <Button
          className={styles.alone}
          aria-busy={isBusy}
          onClick={() => !isBusy && planning.mutate(found.map as ImportMap)}
        >
          Check again
        </Button>
      )}
    </>
  );
}

function Head({ found }: { found: Import }) {
  const { tone, word } = states[found.state];
  return (
    <div>
      <div className={styles.head}>
        <h2 className="heading wrap">{namesOf(found)}</h2>
        <StatusLabel tone={tone}>{word}</StatusLabel>
      </div>
      <p className="small quiet figures">
        {`${sizeText(totalSize(found))}, uploaded by ${found.createdBy}, ${formatMoment(found.createdAt)}`}
      </p>
    </div>
  );
}

function Agreement({ found }: { found: Import }) {
  const { isGood, lines } = agreement(found);
  return (
    <Alert tone={isGood ? 'good' : 'bad'}>
      <Lines lines={lines} />
    </Alert>
  );
}
