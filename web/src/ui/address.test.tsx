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

test('a link goes on inside the page, as a step that Back undoes', () => {
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
])('a click that asks for another tab is left to the browser: %o', (how) => {
  render(<Page />);
  expect(fireEvent.click(screen.getByRole('link'), how)).toBe(true);
  expect(screen.getByText('At /here')).toBeTruthy();
});

test('a redirect is no step', () => {
  const steps = window.history.length;
  render(<Redirect to="/there" />);
  expect(window.location.pathname).toBe('/there');
  expect(window.history.length).toBe(steps);
});
