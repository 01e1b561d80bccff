import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from './Dialog';

test('two presses before the first is shown as sent confirm once', () => {
  const onConfirm = vi.fn();
  // As with a request that is reported as pending only after a moment.
  const ask = () => (
    <Dialog title="Add a passkey" confirm={{ label: 'Continue', onConfirm }} onClose={vi.fn()} />
  );
  const { rerender } = render(ask());
  const press = () => act(() => screen.getByRole('button', { name: 'Continue' }).click());
  press();
  press();
  expect(onConfirm).toHaveBeenCalledOnce();
  // It was refused, and is tried again.
  rerender(ask());
  press();
  expect(onConfirm).toHaveBeenCalledTimes(2);
});
