/** Converts a day in the admin's time zone, e.g. `2026-11-15`, to the instant at which it or a later day begins. */
function momentOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Uses calendar arithmetic instead of adding 24 hours: some days have 23 or 25.
  return new Date(year, month - 1, date + daysLater).toISOString();
}

export const startOfDay = (day: string) => momentOf(day, 0);
export const nextDayStart = (day: string) => momentOf(day, 1);
