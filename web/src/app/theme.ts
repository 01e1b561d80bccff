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

/** The other theme, and how to switch to it. */
export function otherTheme(): { name: Theme; choose: () => void } {
  const name = currentTheme() === 'light' ? 'dark' : 'light';
  const choose = () => {
    document.documentElement.dataset.theme = name;
    localStorage.setItem(key, name);
  };
  return { name, choose };
}
