import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Button } from '../Button';

/** Whether the server has masked a number or a part of a text, because the admin's role does not need more. */
export const isMasked = (text: string) => text.includes('••••');

interface MaskedNumberProps {
  name: string;
  number: string;
  /** Asks the server, which writes it into the audit log. The message of an error is shown. */
  onReveal: () => Promise<string>;
}

/** A number that may be masked, with the button that shows it. */
export function MaskedNumber({ name, number, onReveal }: MaskedNumberProps) {
  // Each request is an entry in the audit log, and a second press can come before `isPending` is rendered.
  const isAsked = useRef(false);
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: onReveal,
    onSettled: () => {
      isAsked.current = false;
    },
  });
  const reveal = () => {
    if (isAsked.current) return;
    isAsked.current = true;
    mutate();
  };
  if (!isMasked(number) || data) return data ?? number;
  return (
    <>
      <span className="line">
        {number}
        <Button
          size="row"
          look="link"
          aria-label={error ? `Try again to show the whole ${name}` : `Show the whole ${name}`}
          title="Viewing it is recorded in the audit log."
          aria-busy={isPending}
          onClick={reveal}
        >
          {error ? 'Try again' : 'Show'}
        </Button>
      </span>
      {error && (
        <span role="alert" className="small odd">
          {error.message}
        </span>
      )}
    </>
  );
}
