import { useEffect, useRef, useState } from 'react';
import { RefusedError, sentenceOf, sentencesOf } from '../../../api/errors';
import { Button } from '../../../ui/Button';
import { Findings } from '../panel/QrPictures';
import styles from './QrUploadForm.module.css';
import { type PictureRead, readPicture } from './qrUpload';

interface PictureReadingProps {
  image: File;
  /** Empty until the typed text looks like a UPI ID. */
  typedUpiId: string;
  onRead: (read: PictureRead) => void;
}

const typingMilliseconds = 300;

/** Shows what the picked picture pays, before the upload. Information only: Upload does not wait for it. */
export function PictureReading({ image, typedUpiId, onRead }: PictureReadingProps) {
  const { read, failure, retry } = useReading(image, typedUpiId, onRead);
  if (failure) return <Failure failure={failure} onRetry={retry} />;
  if (!read) return <p className="quiet">Reading the picture…</p>;
  return (
    <div className={styles.reading}>
      <Findings {...read} />
      {read.follows && <p className="quiet">{read.follows}</p>}
    </div>
  );
}

function Failure({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  // The upload applies the same rules, so it would refuse the picture too.
  if (failure instanceof RefusedError && [413, 422].includes(failure.status)) {
    return sentencesOf(failure).map((sentence) => (
      <p key={sentence} className={styles.refused}>
        {sentence}
      </p>
    ));
  }
  return (
    <div className={styles.failure}>
      <p>The picture could not be read now. {sentenceOf(failure)}</p>
      <p>You can still upload it. It is read again after the upload.</p>
      <Button size="row" onClick={onRetry}>
        Read again
      </Button>
    </div>
  );
}

interface Outcome {
  image: File;
  read?: PictureRead;
  failure?: unknown;
}

/** Reads a new picture at once, and again when typing in the UPI ID stops. A newer request cancels an older one. */
function useReading(image: File, typedUpiId: string, onRead: (read: PictureRead) => void) {
  const [outcome, setOutcome] = useState<Outcome>({ image });
  const [attempt, setAttempt] = useState(0);
  const asked = useRef<{ image: File; attempt: number } | null>(null);
  const latestOnRead = useRef(onRead);
  latestOnRead.current = onRead;

  useEffect(() => {
    const isTyping = asked.current?.image === image && asked.current.attempt === attempt;
    const overtaken = new AbortController();
    const ask = async () => {
      asked.current = { image, attempt };
      try {
        const read = await readPicture(image, typedUpiId, overtaken.signal);
        if (overtaken.signal.aborted) return;
        setOutcome({ image, read });
        latestOnRead.current(read);
      } catch (failure) {
        if (!overtaken.signal.aborted) setOutcome({ image, failure });
      }
    };
    const timer = setTimeout(() => void ask(), isTyping ? typingMilliseconds : 0);
    return () => {
      clearTimeout(timer);
      overtaken.abort();
    };
  }, [image, typedUpiId, attempt]);

  const retry = () => {
    setOutcome({ image });
    setAttempt((now) => now + 1);
  };
  // The result for another picture does not apply to this one.
  return { ...(outcome.image === image ? outcome : { image }), retry };
}
