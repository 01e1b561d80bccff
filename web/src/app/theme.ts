import { useState } from 'react';

type Theme = 'light' | 'dark';
const key = 'theme';
const isTheme = (text: string | null | undefined): text is Theme =>
  text === 'light' || text === 'dark';

/** Called before the first paint, so that the page never flashes in the colours of the other theme. */
export function showRememberedTheme() {
  const theme = localStorage.getItem(key);
  if (isTheme(theme)) document.documentElement.dataset.theme = theme;
}

/** Without a remembered theme, the system preference applies. */
function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (isTheme(chosen)) return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function useTheme() {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (next: Theme) => {
    document.documentElement.dataset.theme = next;
    localStorage.setItem(key, next);
    setTheme(next);
  };
  return { theme, choose };
}
