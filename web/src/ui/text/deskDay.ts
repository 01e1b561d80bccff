/** The server names its zone on every live connection. Until the first one, its default is assumed. */
const key = 'time-zone';
export const deskZone = () => localStorage.getItem(key) ?? 'Asia/Kolkata';

/** The desk's time zone, which decides what day it is. The server also uses it for the days in filters. */
export function rememberZone(name: string) {
  try {
    dayIn(name, new Date());
    localStorage.setItem(key, name);
  } catch {
    // A zone that this browser does not know would break every screen.
  }
}

/** Swedish dates are in ISO format. */
const dayIn = (timeZone: string, at: Date) => at.toLocaleDateString('sv', { timeZone });

/** The current day at the desk, e.g. `2026-11-15`. */
export const today = () => dayIn(deskZone(), new Date());

export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
