import { formatDay, formatMoment } from './dates';

/**
 * A date. The title shows the date and time; it is set on hover, so that the first rows do not wait for a second
 * formatter. Without a locale the browser's own format is used.
 */
export function Day({ at, locale }: { at: string; locale?: string }) {
  return (
    <time
      dateTime={at}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = formatMoment(at);
      }}
    >
      {formatDay(at, locale)}
    </time>
  );
}
