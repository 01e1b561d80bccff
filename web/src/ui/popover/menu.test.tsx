import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Menu } from './Menu';

/** A page whose menu is opened by a button. `onChoose` gets the element that has the focus when an item is chosen. */
function Page({ onChoose }: { onChoose: (focused: Element | null) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const item = { label: 'Disable…', hint: 'd', onChoose: () => onChoose(document.activeElement) };
  return (
    <>
      <button type="button" onClick={(event) => setAnchor(event.currentTarget)}>
        More
      </button>
      <p>Plain text</p>
      {anchor && (
        <Menu label="Actions" anchor={anchor} items={[item]} onClose={() => setAnchor(null)} />
      )}
    </>
  );
}

async function openMenu() {
  const user = userEvent.setup();
  const onChoose = vi.fn();
  render(<Page onChoose={onChoose} />);
  const button = screen.getByRole('button', { name: 'More' });
  await user.click(button);
  expect(document.activeElement).toBe(screen.getByRole('menuitem'));
  return { user, button, onChoose };
}

test.each([
  ['Escape', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Escape}')],
  ['Tab', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('{Tab}')],
  [
    'a click elsewhere',
    (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByText('Plain text')),
  ],
])('%s closes the menu and returns the focus to its button', async (_, leave) => {
  const { user, button, onChoose } = await openMenu();
  await leave(user);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement).toBe(button);
  expect(onChoose).not.toHaveBeenCalled();
});

test.each([
  [
    'a click',
    (user: ReturnType<typeof userEvent.setup>) => user.click(screen.getByRole('menuitem')),
  ],
  ['its key', (user: ReturnType<typeof userEvent.setup>) => user.keyboard('d')],
])(
  'an item chosen by %s closes the menu, and the button has the focus before a dialog takes it',
  async (_, choose) => {
    const { user, button, onChoose } = await openMenu();
    await choose(user);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(onChoose).toHaveBeenCalledExactlyOnceWith(button);
  },
);
