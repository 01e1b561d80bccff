import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from './Dialog';

/** The second Escape in a row: browsers do not let a page prevent it. */
function forceClose(dialog: HTMLDialogElement) {
  act(() => {
    dialog.dispatchEvent(new Event('cancel', { cancelable: false }));
    dialog.close();
  });
}

test('a dialog that waits for a response is shown again when the browser closes it', () => {
  const onClose = vi.fn();
  const ask = (isBusy: boolean, problem = '') => (
    <Dialog
      title="Mark as paid?"
      fields={<p>{problem}</p>}
      confirm={{ label: 'Paid Success', isBusy, onConfirm: vi.fn() }}
      onClose={onClose}
    />
  );
  const { rerender, unmount } = render(ask(true));
  const dialog = screen.getByRole<HTMLDialogElement>('dialog');
  const show = vi.spyOn(dialog, 'showModal');
  forceClose(dialog);
  expect(dialog.open).toBe(true);
  expect(show).toHaveBeenCalledOnce();
  expect(dialog.contains(document.activeElement)).toBe(true);
  rerender(ask(false, 'Client 7 has this reference.'));
  expect(screen.getByText('Client 7 has this reference.')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
  unmount();
  expect(show).toHaveBeenCalledOnce();
});
