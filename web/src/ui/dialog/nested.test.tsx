import { fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
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

test('the panel takes the focus if the button that had it is disabled or removed', () => {
  const panel = (button: ReactNode) => (
    <SidePanel title="Client 1" onClose={() => undefined}>
      {button}
    </SidePanel>
  );
  const { rerender } = render(panel(<button type="button">Accept</button>));
  const opened = screen.getByRole('dialog', { name: 'Client 1' });
  screen.getByRole('button', { name: 'Accept' }).focus();
  rerender(
    panel(
      <button type="button" disabled>
        Accept
      </button>,
    ),
  );
  expect(document.activeElement).toBe(opened);
  rerender(panel(<button type="button">Undo</button>));
  screen.getByRole('button', { name: 'Undo' }).focus();
  rerender(panel(null));
  expect(document.activeElement).toBe(opened);
});
