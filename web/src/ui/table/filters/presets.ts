import { dayAfter, today } from '../../text/deskDay';

export interface Preset {
  name: string;
  from: string;
  to: string;
}

/** The periods that are asked for most, as first and last day. A week begins on Monday. */
export function presets(day: string = today()): Preset[] {
  const monthBefore = dayAfter(`${day.slice(0, 8)}01`, -1);
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return [
    { name: 'Today', from: day, to: day },
    { name: 'Yesterday', from: dayAfter(day, -1), to: dayAfter(day, -1) },
    { name: 'This week', from: dayAfter(day, -weekday), to: day },
    { name: 'Last 7 days', from: dayAfter(day, -6), to: day },
    { name: 'This month', from: dayAfter(monthBefore, 1), to: day },
    { name: 'Last month', from: `${monthBefore.slice(0, 8)}01`, to: monthBefore },
  ];
}

export const presetOf = (from: string | undefined, to: string | undefined, day?: string) =>
  presets(day).find((one) => one.from === from && one.to === to);
