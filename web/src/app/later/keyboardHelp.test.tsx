import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { KeyboardHelp } from './KeyboardHelp';

const groups = [
  {
    title: 'In a table',
    keys: [
      { press: ['/'], does: 'Search' },
      { press: ['j', 'k'], does: 'Move down or up' },
    ],
  },
];

function openHelp() {
  const onClose = vi.fn();
  render(<KeyboardHelp groups={groups} onClose={onClose} />);
  return { onClose, user: userEvent.setup(), dialog: screen.getByRole('dialog') };
}

test('each key is shown beside its action', () => {
  openHelp();
  expect(screen.getByRole('dialog', { name: 'Keyboard' })).toBeTruthy();
  const line = screen.getByText('Move down or up').parentElement;
  const keys = [...(line?.querySelectorAll('kbd') ?? [])].map((key) => key.textContent);
  expect(keys).toEqual(['j', 'k']);
});

test('the close button, the backdrop and the question mark close it', async () => {
  const { onClose, user, dialog } = openHelp();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(dialog);
  fireEvent.keyDown(dialog, { key: '?' });
  expect(onClose).toHaveBeenCalledTimes(3);
});

test('Escape calls onClose and does not close the dialog itself', () => {
  const { onClose, dialog } = openHelp();
  const cancel = new Event('cancel', { cancelable: true });
  fireEvent(dialog, cancel);
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(cancel.defaultPrevented).toBe(true);
});

test('a click on its text does not close it', async () => {
  const { onClose, user } = openHelp();
  await user.click(screen.getByText('Search'));
  expect(onClose).not.toHaveBeenCalled();
});
