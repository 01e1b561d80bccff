/**
 * Whether the page shows all of a row that the table shows. In a short window the page scrolls too, and the bar of the
 * selection stays in sight above the rows.
 */
export function isOnPage(row: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const page = (row.closest('main') ?? document.body).getBoundingClientRect();
  const bar = row.closest('[role="table"]')?.parentElement?.querySelector('section');
  const end = Math.min(page.bottom, bar?.getBoundingClientRect().top ?? page.bottom);
  // Half pixels come from zooming.
  return top > page.top - 1 && bottom < end + 1;
}
