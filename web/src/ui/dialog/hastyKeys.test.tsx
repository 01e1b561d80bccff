import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerDialog } from './AnswerDialog';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const field = () => screen.getByRole('textbox');
const enter = (more = {}) => fireEvent.keyDown(field(), { key: 'Enter', ...more });
const type = (value: string) => fireEvent.change(field(), { target: { value } });

function ask(isHeld = false, missing?: string) {
  const onConfirm = vi.fn();
  const dialog = (state: { isHeld?: boolean; isBusy?: boolean }) => (
    <AnswerDialog
      title="Mark as paid?"
      answer={{ label: 'Bank reference', missing, maxLength: 60 }}
      confirmLabel="Paid Success"
      isGrave
      {...state}
      onConfirm={onConfirm}
      onClose={vi.fn()}
    />
  );
  const { rerender } = render(dialog({ isHeld }));
  return { onConfirm, become: (state: Parameters<typeof dialog>[0]) => rerender(dialog(state)) };
}

test('an Enter in the first half second does nothing, nor does a key that is held down', () => {
  const { onConfirm } = ask();
  expect(document.activeElement).toBe(field());
  type('SBIN1');
  wait(499);
  enter();
  expect(onConfirm).not.toHaveBeenCalled();
  wait(1);
  enter({ repeat: true });
  expect(onConfirm).not.toHaveBeenCalled();
  enter();
  expect(onConfirm).toHaveBeenCalledExactlyOnceWith('SBIN1');
});

test('the half second begins when the warnings are shown, and again after each answer', () => {
  const { onConfirm, become } = ask(true);
  type('SBIN1');
  wait(5_000);
  enter();
  become({});
  wait(499);
  enter();
  fireEvent.click(screen.getByRole('button', { name: 'Paid Success' }));
  expect(onConfirm).not.toHaveBeenCalled();
  wait(1);
  enter();
  expect(onConfirm).toHaveBeenCalledOnce();
  become({ isBusy: true });
  wait(5_000);
  enter();
  become({});
  wait(499);
  enter();
  expect(onConfirm).toHaveBeenCalledOnce();
  wait(1);
  enter();
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

test('no Enter confirms from an empty field, with or without Ctrl', () => {
  const { onConfirm } = ask();
  type('  ');
  wait(5_000);
  enter();
  enter({ ctrlKey: true });
  expect(screen.getByText('To go on without it, press Paid Success.')).toBeTruthy();
  expect(onConfirm).not.toHaveBeenCalled();
});

test('Enter in an empty field that needs an answer says so', () => {
  const { onConfirm } = ask(false, 'A payment needs its bank reference.');
  wait(500);
  enter();
  expect(screen.getByRole('alert').textContent).toBe('A payment needs its bank reference.');
  expect(onConfirm).not.toHaveBeenCalled();
});

test('a letter and Ctrl+Enter confirm nothing on a button', () => {
  const { onConfirm } = ask();
  wait(5_000);
  for (const name of ['Cancel', 'Paid Success']) {
    const button = screen.getByRole('button', { name });
    for (const key of 'payctm1') fireEvent.keyDown(button, { key });
    fireEvent.keyDown(button, { key: 'Enter', ctrlKey: true });
    expect(fireEvent.keyDown(button, { key: 'Enter', repeat: true })).toBe(false);
  }
  expect(onConfirm).not.toHaveBeenCalled();
});

test('after Ctrl K no Enter in the field is an answer', () => {
  const { onConfirm } = ask();
  wait(5_000);
  fireEvent.keyDown(field(), { key: 'k', ctrlKey: true });
  type('C-10001');
  wait(5_000);
  enter();
  expect(onConfirm).not.toHaveBeenCalled();
});
