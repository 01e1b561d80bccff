import { type AnchorHTMLAttributes, type MouseEvent, useLayoutEffect } from 'react';
import { navigate, useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/* The current URL and navigation. The routes themselves are defined by the app. */

export const useLocation = useBrowserLocation;
export { useSearch };

/** Whether the current history entry is that of an open panel (`backCloses`). Navigation replaces that entry. */
export const isOnPanel = (): boolean => window.history.state?.isPanel === true;

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
    navigate(href, { replace: isOnPanel() });
  };
  return <a href={href} onClick={follow} {...rest} />;
}

export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}
