/**
 * Whether the browser stands at a screen, in whatever case its path is written. The last part of a path may be
 * anything where the screen's own ends with `:id`.
 */
export function isAt(location: string, href: string): boolean {
  const path = location.toLowerCase().replace(/\/$/, '');
  const screen = href.toLowerCase();
  if (!screen.endsWith('/:id')) return path === screen;
  const folder = screen.slice(0, -':id'.length);
  const id = path.slice(folder.length);
  return path.startsWith(folder) && id !== '' && !id.includes('/');
}
