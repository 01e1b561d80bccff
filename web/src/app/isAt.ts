/** Whether the browser stands at a screen, in whatever case its path is written. */
export function isAt(location: string, href: string): boolean {
  return location.toLowerCase().replace(/\/$/, '') === href.toLowerCase();
}
