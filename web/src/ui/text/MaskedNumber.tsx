import { useMutation } from '@tanstack/react-query';
import { Button } from '../Button';

/** Whether the server has sent only the last digits, because the admin's role does not need more. */
export const isMasked = (number: string) => number.startsWith('••••');

interface MaskedNumberProps {
  name: string;
  number: string;
  /** Asks the server, which writes it into the audit log. */
  onReveal: () => Promise<string>;
}

/** A number that may be masked, with the button that shows it. */
export function MaskedNumber({ name, number, onReveal }: MaskedNumberProps) {
  const revealing = useMutation({ mutationFn: onReveal });
  if (!isMasked(number) || revealing.data) return revealing.data ?? number;
  return (
    <span className="line">
      {number}
      <Button
        size="row"
        look="link"
        aria-label={`Show the whole ${name}`}
        title="Viewing it is recorded in the audit log."
        aria-busy={revealing.isPending}
        onClick={() => revealing.mutate()}
      >
        {revealing.isError ? 'Try again' : 'Show'}
      </Button>
    </span>
  );
}
