import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openApp } from '../testing/openApp';
import { showRememberedTheme } from './theme';

test('the account menu changes the theme and remembers it', async () => {
  const { user } = openApp('/Data');
  await user.click(await screen.findByRole('button', { name: /^Account/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Dark theme' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
  await user.click(screen.getByRole('button', { name: /^Account/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Light theme' }));
  expect(document.documentElement.dataset.theme).toBe('light');
});

test('a remembered theme is set before the app starts', () => {
  localStorage.setItem('theme', 'dark');
  showRememberedTheme();
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('a stored value that is not a theme is ignored', () => {
  localStorage.setItem('theme', 'javascript:alert(1)');
  showRememberedTheme();
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
