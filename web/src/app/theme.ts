import { useState } from 'react';

export type Theme = 'light' | 'dark';

/** The boot script sets the remembered theme before the first paint; without one, the system preference applies. */
function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function useTheme() {
  const [theme, setTheme] = useState(currentTheme);
  const choose = (next: Theme) => {
    document.documentElement.dataset.theme = next;
    localStorage.setItem('theme', next);
    setTheme(next);
  };
  return { theme, choose };
}
