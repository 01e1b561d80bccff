/** The same text as `toLocaleDateString`, but with cached formatters: a table formats thousands of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(iso: string, name: string, create: () => Intl.DateTimeFormat): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const formatter = formatters.get(name) ?? create();
  formatters.set(name, formatter);
  return formatter.format(date);
}

export const formatDay = (iso: string, locale?: string) =>
  format(iso, `day ${locale}`, () => new Intl.DateTimeFormat(locale));

const minutes = { hour: 'numeric', minute: '2-digit' } as const;

/** Day and time in the browser's format, e.g. 15/11/2026, 8:22 am. */
export const formatMoment = (iso: string) =>
  format(iso, 'moment', () => {
    const day = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    return new Intl.DateTimeFormat(undefined, { ...day, ...minutes });
  });
