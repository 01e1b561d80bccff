import { type AnchorHTMLAttributes, type MouseEvent, useLayoutEffect } from 'react';
import { navigate, useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/* The current URL and navigation. The routes themselves are defined by the app. */

export const useLocation = useBrowserLocation;
export { useSearch };

/** Whether the current history entry is that of an open panel or dialog (`modal.ts`). Navigation replaces that entry. */
export const isOnPanel = (): boolean => window.history.state?.isPanel === true;

/** A list and the number of one of its rows, or the id if its rows have no numbers. */
const rowOfList = /^(\/(?!client\/)[^/]+)\/(?:([a-z]-\d{1,15})|([0-9a-f]{24}))\/?$/i;

/** The path without the number of an open row: /Withdraw for /Withdraw/C-10482. */
export const withoutRow = (pathname: string): string => rowOfList.exec(pathname)?.[1] ?? pathname;

/** The number of the row that the address opens, such as C-10482, or its id. */
export function rowInAddress(pathname = window.location.pathname): string | undefined {
  const [, , number, id] = rowOfList.exec(pathname) ?? [];
  return number?.toUpperCase() ?? id?.toLowerCase();
}

export function goTo(href: string) {
  const { history, location } = window;
  // From a row to another one of the same list: the panel stays, and so does the list behind it.
  const isSameList =
    isOnPanel() &&
    rowInAddress() &&
    rowInAddress(href) &&
    withoutRow(href) === withoutRow(location.pathname);
  if (isSameList) navigate(href + location.search, { replace: true, state: history.state });
  else navigate(href, { replace: isOnPanel() });
}

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Leave clicks that open another tab or window to the browser.
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.shiftKey);
    if (!isPlain || event.button !== 0) return;
    onClick?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    goTo(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}

export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
