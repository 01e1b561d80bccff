import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { classes } from '../classes';
import { pressInVain } from '../page/quietKeys';
import styles from './Popover.module.css';
import { useAnchor } from './popoverAnchor';

export interface MenuItem {
  label: string;
  hint?: string | undefined;
  /** Why the item is disabled; it stays visible with this explanation. */
  why?: string | undefined;
  isApart?: boolean;
  onChoose: () => void;
}

interface MenuProps {
  label: string;
  anchor: HTMLElement;
  items: readonly MenuItem[];
  /** What gets the focus when the menu closes, if not the button. */
  returnTo?: HTMLElement | null;
  /** Removes the menu. An item is chosen after that. */
  onClose: () => void;
}

/** A menu of actions beside the button that opened it. Closing it returns the focus to the button. */
export function Menu({ label, anchor, items, returnTo, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const anchorRef = useRef(anchor);
  const layer = useAnchor<HTMLDivElement>(anchorRef, 'end');

  useEffect(() => {
    anchor.setAttribute('aria-expanded', 'true');
    itemsOf(menu.current)[0]?.focus({ preventScroll: true });
    return () => anchor.removeAttribute('aria-expanded');
  }, [anchor]);

  const close = () => {
    // Before the menu is removed, which would lose the focus, and before a dialog takes it and returns it here later.
    (returnTo ?? anchor).focus({ preventScroll: true });
    onClose();
  };
  const choose = (item: MenuItem) => {
    close();
    item.onChoose();
  };

  const leave = useEffectEvent((event: Event) => {
    if (event.target instanceof Node && menu.current?.contains(event.target)) return;
    // The click that closes a menu must do nothing else: there may be a payment button below it.
    event.preventDefault();
    event.stopPropagation();
    close();
  });
  // A layout effect, so that the listener is removed together with the menu: the next click is for something else.
  useLayoutEffect(() => {
    const listeners = new AbortController();
    const options = { capture: true, signal: listeners.signal };
    document.addEventListener('click', (event) => leave(event), options);
    return () => listeners.abort();
  }, []);

  const press = (event: KeyboardEvent) => {
    // A shortcut of the app or of the browser leaves the menu; no letter does.
    if (event.ctrlKey || event.metaKey) return close();
    event.stopPropagation();
    const all = itemsOf(menu.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') close();
    else {
      const item = items.find(({ hint, why }) => hint === event.key && why === undefined);
      if (!item) return pressInVain(event.nativeEvent);
      choose(item);
    }
    event.preventDefault();
  };

  return (
    <div ref={layer} popover="manual" className={styles.layer}>
      <div
        ref={menu}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={classes(styles.surface, styles.menu)}
        onKeyDown={press}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={item.why !== undefined || undefined}
            className={styles.item}
            data-apart={item.isApart || undefined}
            onClick={item.why === undefined ? () => choose(item) : undefined}
          >
            <span>{item.label}</span>
            {item.hint && (
              <span className={styles.hint} aria-hidden="true">
                {item.hint}
              </span>
            )}
            {item.why && <span className={styles.why}>{item.why}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];
