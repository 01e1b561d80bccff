import { useState } from 'react';
import { Button } from '../ui/Button';
import { MoonIcon, SunIcon } from '../ui/icons/icons';

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

export function ThemeToggle() {
  const [theme, setTheme] = useState(currentTheme);
  const other = theme === 'light' ? 'dark' : 'light';
  const choose = () => {
    document.documentElement.dataset.theme = other;
    localStorage.setItem(key, other);
    setTheme(other);
  };
  return (
    <Button look="icon" aria-label={`Switch to ${other} theme`} onClick={choose}>
      {theme === 'light' ? <MoonIcon /> : <SunIcon />}
    </Button>
  );
}
