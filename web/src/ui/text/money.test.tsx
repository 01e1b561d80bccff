import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Money } from './Money';

test.each([
  [99_99_999.99, '₹99,99,999.99', 0],
  [1_00_00_000, '₹1,00,00,000.00', 4],
  [12_34_56_78_901.5, '₹12,34,56,78,901.50', 5],
])(
  '%d rupees are never clipped, and wrap at the commas from one crore on',
  (amount, text, breaks) => {
    const { container } = render(<Money amount={amount} />);
    expect(container.textContent).toBe(text);
    expect(container.querySelectorAll('wbr')).toHaveLength(breaks);
  },
);
