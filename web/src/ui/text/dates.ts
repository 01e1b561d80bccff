/** The same text as `toLocaleDateString`, but with cached formatters: a table formats thousands of dates. */
const dayByLocale = new Map<string, Intl.DateTimeFormat>();

export function formatDay(iso: string, locale?: string): string {
  const key = locale ?? '';
  let formatter = dayByLocale.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(locale);
    dayByLocale.set(key, formatter);
  }
  return format(formatter, iso);
}

let moment: Intl.DateTimeFormat | undefined;

/** Day and time in the browser's format, e.g. 15/11/2026, 8:22 am. */
export function formatMoment(iso: string): string {
  moment ??= new Intl.DateTimeFormat(undefined, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  });
  return format(moment, iso);
}

function format(formatter: Intl.DateTimeFormat, iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : formatter.format(date);
}
