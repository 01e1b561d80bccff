import { fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { Link, Redirect, useLocation } from './address';

function Page() {
  const [location] = useLocation();
  return (
    <>
      <p>{`At ${location}`}</p>
      <Link href="/there">There</Link>
    </>
  );
}

beforeEach(() => window.history.replaceState(null, '', '/here'));

test('a link navigates without reloading the page and adds a history entry', () => {
  const steps = window.history.length;
  render(<Page />);
  expect(fireEvent.click(screen.getByRole('link'))).toBe(false);
  expect(screen.getByText('At /there')).toBeTruthy();
  expect(window.history.length).toBe(steps + 1);
});

test.each([
  { ctrlKey: true },
  { metaKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
])('a click that opens another tab or window is left to the browser: %o', (how) => {
  render(<Page />);
  expect(fireEvent.click(screen.getByRole('link'), how)).toBe(true);
  expect(screen.getByText('At /here')).toBeTruthy();
});

test('a redirect adds no history entry', () => {
  const steps = window.history.length;
  render(<Redirect to="/there" />);
  expect(window.location.pathname).toBe('/there');
  expect(window.history.length).toBe(steps);
});
