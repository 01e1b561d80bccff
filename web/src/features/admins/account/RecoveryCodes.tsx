import { useMemo, useState } from 'react';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/dialog/Dialog';
import { copyText } from '../../../ui/text/CopyButton';
import { useObjectUrl } from '../../../ui/useObjectUrl';
import styles from './RecoveryCodes.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  onClose: () => void;
}

/** The only time that these codes are visible. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const [result, setResult] = useState('');
  const text = codes.map((code) => `${code}\n`).join('');
  const file = useMemo(() => {
    const head = `Recovery codes for ${window.location.host}. Each works once.\n\n`;
    return new Blob([head, text], { type: 'text/plain' });
  }, [text]);
  const address = useObjectUrl(file);
  const download = () => {
    const link = document.createElement('a');
    link.href = address ?? '';
    link.download = 'countinghouse-recovery-codes.txt';
    if (address) link.click();
  };
  const copy = async () =>
    setResult((await copyText(text)) ? 'Copied' : 'The browser does not allow copying here');

  return (
    <Dialog
      title="Your recovery codes"
      isWide
      isKept
      closeLabel="I have stored them"
      onClose={onClose}
      fields={
        <>
          <ol
            className={styles.codes}
            // Takes the initial focus: a second Enter must not close what has not been read yet.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: as in `CopyLine`
            tabIndex={0}
            data-first=""
          >
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
          <div className={styles.store}>
            <Button onClick={() => void copy()}>Copy all</Button>
            <Button onClick={download}>Download</Button>
            <span role="status" className="small quiet">
              {result}
            </span>
          </div>
        </>
      }
    >
      <p>
        Download them or keep them in a password manager. Each works once, for a login without your
        phone. Only hashes are stored, so they cannot be shown again.
      </p>
    </Dialog>
  );
}
