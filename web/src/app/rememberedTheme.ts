/** Runs before the first paint, so that a remembered theme never flashes in the other one's colours. */
export function showRememberedTheme() {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
