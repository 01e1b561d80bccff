/**
 * Whether a path is that of a screen, ignoring case.
 * If the screen's path ends with `:id`, the last segment may be anything.
 */
export function isAt(location: string, href: string): boolean {
  const path = location.toLowerCase().replace(/\/$/, '');
  const screen = href.toLowerCase();
  if (!screen.endsWith('/:id')) return path === screen;
  const folder = screen.slice(0, -':id'.length);
  const id = path.slice(folder.length);
  return path.startsWith(folder) && id !== '' && !id.includes('/');
}
