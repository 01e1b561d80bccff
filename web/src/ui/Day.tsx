import { formatDay, formatMoment } from './dates';

/** A day; the full moment is in its title. Without a locale the browser's own format is used. */
export function Day({ at, locale }: { at: string; locale?: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDay(at, locale)}
    </time>
  );
}
