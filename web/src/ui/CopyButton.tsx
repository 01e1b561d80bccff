import { useState } from 'react';
import { Button } from './Button';
import { copyText } from './copyText';
import { CopyIcon } from './icons/CopyIcon';

/** Copies one value and briefly shows the result next to the button. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const [result, setResult] = useState('');
  const copy = async () => {
    setResult((await copyText(text)) ? 'Copied' : 'Not allowed here');
    setTimeout(() => setResult(''), 2_000);
  };
  return (
    <>
      <span role="status">{result}</span>
      <Button look="icon" size="row" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        <CopyIcon />
      </Button>
    </>
  );
}
