import { formatDay, formatMoment } from './dates';

/**
 * A date. The title shows the date and time; it is set on hover, so that the first rows do not wait for a second
 * formatter.
 */
export function Day({ at, children = formatDay(at) }: { at: string; children?: string }) {
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = formatMoment(at);
      }}
    >
      {children}
    </time>
  );
}
