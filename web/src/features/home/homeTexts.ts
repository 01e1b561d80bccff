import { formatDate } from '../../ui/text/dates';

/** 16 Nov */
export const shortDay = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });

/** With the year, if it is not this year. */
export const dayNear = (today: string, day: string) =>
  day.slice(0, 4) === today.slice(0, 4) ? shortDay(day) : formatDate(day);

/** A waiting time, which the server rounds up to 5 minutes, an hour or a day. */
export function durationText(minutes: number | null): string {
  if (minutes === null) return '–';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 1_440) return `${minutes / 60} h`;
  const days = Math.ceil(minutes / 1_440);
  return days === 1 ? '1 day' : `${days} days`;
}

/** How old the claims of a queue are, newest first, as the server groups them. */
export const ageTexts = ['Today', '1 day', '2–3 days', '4–7 days', '8–30 days', 'Older'];
