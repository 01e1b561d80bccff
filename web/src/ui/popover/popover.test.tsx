import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { Popover } from './Popover';

function openPage() {
  const user = userEvent.setup();
  render(
    <>
      <Popover label="Columns" trigger="Columns">
        {(close) => (
          <>
            <label>
              <input type="checkbox" /> Mobile
            </label>
            <button type="button" onClick={close}>
              Done
            </button>
          </>
        )}
      </Popover>
      <button type="button">Elsewhere</button>
      <p>Plain text</p>
    </>,
  );
  const trigger = screen.getByRole('button', { name: 'Columns' });
  return { user, trigger };
}
const panel = () => screen.queryByRole('dialog', { name: 'Columns' });

test('the button opens and closes its panel, and aria-expanded says whether it is open', async () => {
  const { user, trigger } = openPage();
  expect(trigger.getAttribute('aria-haspopup')).toBe('dialog');
  expect(trigger.getAttribute('aria-expanded')).toBe('false');
  expect(panel()).toBeNull();
  await user.click(trigger);
  expect(trigger.getAttribute('aria-expanded')).toBe('true');
  expect(trigger.getAttribute('aria-controls')).toBe(panel()?.id);
  await user.click(trigger);
  expect(panel()).toBeNull();
});

test('opening by keyboard puts the focus on the first control of the panel', async () => {
  const { user, trigger } = openPage();
  trigger.focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Mobile' }));
});

test('a panel that begins with a text field takes the focus itself, so that no phone keyboard opens', async () => {
  const user = userEvent.setup();
  render(
    <Popover label="Amount" trigger="Amount">
      {() => <input aria-label="From" />}
    </Popover>,
  );
  await user.click(screen.getByRole('button', { name: 'Amount' }));
  expect(document.activeElement).toBe(screen.getByRole('dialog', { name: 'Amount' }));
});

test('Escape closes the panel and returns the focus to its button', async () => {
  const { user, trigger } = openPage();
  await user.click(trigger);
  await user.keyboard('{Escape}');
  expect(panel()).toBeNull();
  expect(document.activeElement).toBe(trigger);
});

test('Escape closes only the panel: the page does not receive the key', async () => {
  const { user, trigger } = openPage();
  const heard: string[] = [];
  const hear = (event: KeyboardEvent) => heard.push(event.key);
  document.body.addEventListener('keydown', hear);
  await user.click(trigger);
  await user.keyboard('{Escape}');
  expect(heard).toEqual([]);
  await user.keyboard('{Escape}');
  expect(heard).toEqual(['Escape']);
  document.body.removeEventListener('keydown', hear);
});

test('closing the panel from inside returns the focus to the button', async () => {
  const { user, trigger } = openPage();
  await user.click(trigger);
  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(panel()).toBeNull();
  expect(document.activeElement).toBe(trigger);
});

test('a click outside closes the panel and leaves the focus where the click put it', async () => {
  const { user, trigger } = openPage();
  await user.click(trigger);
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(panel()).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' }));
});

test('a press that starts inside and ends outside, as when selecting text, does not close the panel', async () => {
  const { user, trigger } = openPage();
  await user.click(trigger);
  await user.pointer([
    { keys: '[MouseLeft>]', target: screen.getByRole('checkbox') },
    { target: screen.getByText('Plain text') },
    { keys: '[/MouseLeft]', target: document.body },
  ]);
  expect(panel()).toBeTruthy();
});

test('tabbing out of the panel closes it', async () => {
  const { user, trigger } = openPage();
  await user.click(trigger);
  screen.getByRole('button', { name: 'Done' }).focus();
  await user.tab();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(panel()).toBeNull();
});
