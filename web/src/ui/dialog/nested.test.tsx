import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Dialog } from './Dialog';
import { SidePanel } from './SidePanel';

function openBoth() {
  const closePanel = vi.fn();
  const closeDialog = vi.fn();
  const onStep = vi.fn();
  render(
    <SidePanel title="Client 1" step={{ noun: 'purchase', onStep }} onClose={closePanel}>
      <Dialog title="Payment proof" onClose={closeDialog} />
    </SidePanel>,
  );
  return { closePanel, closeDialog, onStep };
}

test('Escape in a dialog above a panel closes the dialog only', () => {
  const { closePanel, closeDialog } = openBoth();
  const isAllowed = fireEvent(
    screen.getByRole('dialog', { name: 'Payment proof' }),
    new Event('cancel', { cancelable: true }),
  );
  expect(isAllowed).toBe(false);
  expect(closeDialog).toHaveBeenCalledOnce();
  expect(closePanel).not.toHaveBeenCalled();
});

test('keys that are pressed in a dialog above a panel do not reach the panel', () => {
  const { onStep } = openBoth();
  const dialog = screen.getByRole('dialog', { name: 'Payment proof' });
  fireEvent.keyDown(dialog, { key: 'j' });
  expect(onStep).not.toHaveBeenCalled();
  fireEvent.keyDown(screen.getByRole('dialog', { name: 'Client 1' }), { key: 'j' });
  expect(onStep).toHaveBeenCalledExactlyOnceWith(1);
});
