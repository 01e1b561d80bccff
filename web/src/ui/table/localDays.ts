/** A day of the calendar on the admin's desk, e.g. `2026-11-15`, as the moments where it begins and ends. */
function momentOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // By the calendar, not by 24 hours: some days have 23 or 25.
  return new Date(year, month - 1, date + daysLater).toISOString();
}

export const startOfDay = (day: string) => momentOf(day, 0);
export const nextDayStart = (day: string) => momentOf(day, 1);
