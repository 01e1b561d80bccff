import { onTestFinished, vi } from 'vitest';

/** Nothing is typed slowly, however busy the machine is: no time passes between the keys unless the test says so. */
export function stopTheClock() {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return {
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}
