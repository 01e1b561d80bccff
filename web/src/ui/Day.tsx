import { formatDay, formatMoment } from './dates';

/**
 * A day; the full moment is in its title, once somebody points at it: the first rows need not wait for a second
 * format. Without a locale the browser's own format is used.
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
