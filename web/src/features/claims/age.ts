import { countOf } from '../../ui/rupees';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The age in the largest whole unit: "5 min", "3 h", "12 days". */
export function ageOf(iso: string, now: number = Date.now()): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return countOf(Math.floor(age / day), 'day');
}
