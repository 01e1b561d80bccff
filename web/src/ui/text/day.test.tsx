import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Day } from './Day';
import { formatMoment } from './dates';

test('hovering over a date shows the date and time', () => {
  const at = '2026-11-15T02:52:36.120Z';
  render(<Day at={at} />);
  const day = screen.getByText('15 Nov 2026');
  expect(day.title).toBe('');
  fireEvent.pointerEnter(day);
  expect(day.title).toBe(formatMoment(at));
  expect(day.getAttribute('datetime')).toBe(at);
});
