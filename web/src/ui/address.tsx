import { type AnchorHTMLAttributes, type MouseEvent, useLayoutEffect } from 'react';
import { navigate, useBrowserLocation, useSearch } from 'wouter/use-browser-location';

/* Where the browser stands and how it goes on. Which screen is where is the app's matter. */

export const useLocation = useBrowserLocation;
export { useSearch };

/** Whether the browser stands on the entry of an opened panel (`backCloses`). Another screen takes its place. */
export const isOnPanel = (): boolean => window.history.state?.isPanel === true;

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string;
}

export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // A click that asks for another tab or window is the browser's.
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
