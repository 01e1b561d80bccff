import { deskZone } from './deskDay';

/** Cached, because a table formats thousands of dates. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function format(iso: string, locale: string | undefined, options: Intl.DateTimeFormatOptions) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const name = [locale, ...Object.values(options)].join();
  const formatter = formatters.get(name) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(name, formatter);
  return formatter.format(date);
}

/** The same text as `toLocaleDateString`: the format of the tables' Date column. */
export const formatLocalDay = (iso: string, locale?: string) => format(iso, locale, {});

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const minutes = { hour: '2-digit', minute: '2-digit' } as const;

/** The day in a time zone, e.g. 16 Nov 2026. */
export const formatDayIn = (timeZone: string, iso: string) =>
  format(iso, 'en-GB', { ...day, timeZone });

/** The day at the desk. */
export const formatDay = (iso: string) => formatDayIn(deskZone(), iso);

const momentIn = (timeZone: string, iso: string) =>
  format(iso, 'en-GB', { ...day, ...minutes, timeZone });

/** Day and time at the desk, e.g. 16 Nov 2026, 08:22. */
export const formatMoment = (iso: string) => momentIn(deskZone(), iso);

/** With the name of the zone, for paper: 16 Nov 2026, 08:22 (Asia/Kolkata). */
export const formatMomentIn = (timeZone: string, iso: string) =>
  `${momentIn(timeZone, iso)} (${timeZone})`;

/** A day that belongs to no time zone: 16 Nov 2026 for `2026-11-16`. */
export const formatDate = (date: string) => formatDayIn('UTC', date);
