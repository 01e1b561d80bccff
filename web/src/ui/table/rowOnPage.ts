/**
 * Whether a row that is in view of the table is fully visible on the page. In a short window the page scrolls too, and
 * the selection bar stays visible above the rows.
 */
export function isOnPage(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const page = (row.closest('main') ?? document.body).getBoundingClientRect();
  const bar = row.closest('[role="table"]')?.parentElement?.querySelector('section');
  const end = Math.min(page.bottom, bar?.getBoundingClientRect().top ?? page.bottom);
  // Zooming produces fractions of pixels.
  return top > page.top - 1 && bottom < end + 1;
}
