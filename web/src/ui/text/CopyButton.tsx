import { useState } from 'react';
import { Button } from '../Button';
import { CopyIcon } from '../icons/icons';
import styles from './CopyButton.module.css';
import { isMasked } from './MaskedNumber';

const copied = 'Copied';

interface CopyButtonProps {
  what: string;
  text: string;
  /** In a line of a table: as high as the text, and the result is shown in its place. */
  isTight?: boolean;
}

/** Copies one value and briefly shows the result next to the button. What is masked has none. */
export function CopyButton({ what, text, isTight = false }: CopyButtonProps) {
  const [last, setLast] = useState({ text, result: '' });
  // The result is about one text: beside another one it would be false.
  const result = last.text === text ? last.result : '';
  const copy = async () => {
    setLast({ text, result: (await copyText(text)) ? copied : 'Not allowed here' });
    setTimeout(() => setLast({ text, result: '' }), 2_000);
  };
  if (isMasked(text)) return null;
  return (
    <>
      <span role="status" className={isTight ? 'visually-hidden' : undefined}>
        {result}
      </span>
      <Button
        look="icon"
        size="row"
        className={isTight ? styles.tight : undefined}
        aria-label={`Copy ${what}`}
        title={isTight ? result || `Copy ${what}` : undefined}
        onClick={() => void copy()}
      >
        {isTight && result ? (
          <span aria-hidden="true">{result === copied ? '✓' : '✗'}</span>
        ) : (
          <CopyIcon />
        )}
      </Button>
    </>
  );
}

/** Copies text to the clipboard. Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Also fails if the app is not served over HTTPS: then there is no clipboard.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the open dialog, if there is one: outside of it nothing can be selected.
  (focused?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand?.('copy') ?? false;
  field.remove();
  focused?.focus({ preventScroll: true });
  return isCopied;
}
