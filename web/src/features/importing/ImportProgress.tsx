import { useStore } from '../../api/store';
import { Button } from '../../ui/Button';
import { Alert, Lines } from '../../ui/notices/Alert';
import { ProgressBar } from '../../ui/notices/ProgressBar';
import styles from './Importing.module.css';
import { type Import, isUnderWay } from './imports';
import { progressText, sizeText, totalSize } from './importTexts';
import { resumeUpload, uploads } from './importUploads';

interface BarProps {
  title: string;
  done: number;
  of: number;
  text: string;
}

const Bar = ({ title, done, of, text }: BarProps) => (
  <div className={styles.progress}>
    <p className="medium">{title}</p>
    <ProgressBar label={title} done={done} of={of} />
    <p className="small quiet figures">{text}</p>
  </div>
);

/** How far the check or the import is. Screen readers hear what is going on, without numbers that never stop. */
export function ImportProgress({ found }: { found: Import }) {
  const { state, progress } = found;
  const title = state === 'planning' ? 'Checking every row' : 'Importing';
  const announced: Partial<Record<Import['state'], string>> = {
    planning: 'The files are being checked.',
    planned: 'The files are checked.',
    running: 'The import is running.',
    done: 'The import has ended.',
  };
  return (
    <>
      <p role="status" className="visually-hidden">
        {announced[state] ?? ''}
      </p>
      {isUnderWay(found) && (
        <Bar title={title} done={progress.share} of={100} text={progressText(progress)} />
      )}
    </>
  );
}

interface UploadProgressProps {
  found: Import;
  isBusy: boolean;
  onCheck: () => void;
}

/** The upload of this page, or of another one. */
export function UploadProgress({ found, isBusy, onCheck }: UploadProgressProps) {
  const upload = useStore(uploads, (jobs) => jobs.find(({ id }) => id === found._id));
  const [sent, inAll] = upload ? [upload.sent, upload.inAll] : [found.parts, found.partsInAll];
  const size = totalSize(found);
  const text = `${sizeText(Math.min(size, Math.round((size * sent) / inAll)))} of ${sizeText(size)}`;
  if (!upload && found.parts >= found.partsInAll) {
    const check = (
      <Button aria-busy={isBusy} onClick={onCheck}>
        Check the files
      </Button>
    );
    return (
      <Alert tone="plain" action={check}>
        <Lines lines={['The files are complete, but were not checked yet.']} />
      </Alert>
    );
  }
  return (
    <>
      <Bar title="Uploading" done={sent} of={inAll} text={text} />
      {upload?.trouble && (
        <Alert tone="bad" action={<Button onClick={() => resumeUpload(found._id)}>Resume</Button>}>
          <Lines lines={['The upload has stopped.', upload.trouble]} />
        </Alert>
      )}
      {!upload && (
        <Alert tone="plain">
          <Lines
            lines={[
              'This page is not uploading these files.',
              'If no other tab or admin is sending them, the upload was interrupted: start again with “All imports”.',
            ]}
          />
        </Alert>
      )}
    </>
  );
}
