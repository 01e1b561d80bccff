import { deskZone } from './deskDay';

/** What the desk's clock shows, as an input of the type `datetime-local` has it, with seconds. */
export const clockAt = (moment: Date): string =>
  moment.toLocaleString('sv', { timeZone: deskZone() }).replace(' ', 'T');

/** The moment at which the desk's clock shows this day and time, e.g. `2026-11-15T23:59:59.999`. */
export function momentOf(shown: string): string {
  const wanted = Date.parse(`${shown}Z`);
  // How far the desk's clock is ahead of UTC, then the same near the moment itself: a clock may change in between.
  const ahead = (at: number) =>
    Date.parse(`${clockAt(new Date(at))}Z`) - Math.floor(at / 1e3) * 1e3;
  return new Date(wanted - ahead(wanted - ahead(wanted))).toISOString();
}
