import { cleanup, fireEvent, render } from '@testing-library/react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useShortcuts } from './keys';
import { Page } from './Page';
import { beginWaiting, useQuietKeys } from './quietKeys';

test('the heading has the focus when a screen is shown, and takes it from no row later', async () => {
  // The first screen of all leaves the focus to the browser.
  render(<Page title="First">{null}</Page>);
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  // Without `act`, as in a browser: a key can come before the effects that wait for the paint.
  const inAct = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  inAct.IS_REACT_ACT_ENVIRONMENT = false;
  onTestFinished(() => {
    inAct.IS_REACT_ACT_ENVIRONMENT = true;
    root.unmount();
    place.remove();
  });
  const shown = new Promise<HTMLElement>((resolve) => {
    new MutationObserver(() => {
      const row = place.querySelector<HTMLElement>('[data-row-id]');
      if (row) resolve(row);
    }).observe(place, { childList: true, subtree: true });
  });
  root.render(
    <Page title="Second">
      <div tabIndex={-1} data-row-id="c1" />
    </Page>,
  );
  const row = await shown;
  expect(document.activeElement?.textContent).toBe('Second');
  row.focus();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(row);
});

test('a dialog that ends with the app keeps no key from the next one', () => {
  const pressed = vi.fn();
  function Keys() {
    useQuietKeys();
    useShortcuts(({ key }) => (key === 'j' ? pressed : undefined));
    return null;
  }
  const end = beginWaiting();
  render(<Keys />);
  cleanup();
  end();
  render(<Keys />);
  fireEvent.keyDown(document.body, { key: 'j', code: 'KeyJ' });
  expect(pressed).toHaveBeenCalledOnce();
});
