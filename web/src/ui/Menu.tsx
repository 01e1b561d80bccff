import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import styles from './Menu.module.css';
import { useAnchor } from './popoverAnchor';

export interface MenuItem {
  label: string;
  /** The key that does the same. */
  hint?: string | undefined;
  /** Why it cannot be chosen now; it stays in sight, and says so. */
  why?: string | undefined;
  /** A line above it parts it from those before. */
  isApart?: boolean;
  onChoose: () => void;
}

interface MenuProps {
  label: string;
  anchor: HTMLElement;
  items: readonly MenuItem[];
  onClose: () => void;
}

/** What can be done with one thing, beside the button that asked for it. The focus is back there afterwards. */
export function Menu({ label, anchor, items, onClose }: MenuProps) {
  const layer = useRef<HTMLDivElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const anchorRef = useRef(anchor);
  useAnchor(anchorRef, layer, 'end');

  useEffect(() => {
    anchor.setAttribute('aria-expanded', 'true');
    itemsOf(menu.current)[0]?.focus({ preventScroll: true });
    return () => anchor.removeAttribute('aria-expanded');
  }, [anchor]);

  // Gone in the same moment as the menu: the next press is meant for something else.
  useLayoutEffect(() => {
    const leave = (event: Event) => {
      if (event.target instanceof Node && menu.current?.contains(event.target)) return;
      // The press that closes a menu does nothing else: below it a payment may stand.
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('click', leave, true);
    return () => document.removeEventListener('click', leave, true);
  }, [onClose]);

  const press = (event: KeyboardEvent) => {
    // No key of the desk acts while the menu is open.
    event.stopPropagation();
    const all = itemsOf(menu.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (!chooseByHint(event.key, items)) return;
    event.preventDefault();
  };

  return (
    <div ref={layer} popover="manual" className={styles.layer}>
      <div
        ref={menu}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={styles.menu}
        onKeyDown={press}
      >
        {items.map(({ label: name, hint, why, isApart, onChoose }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={why !== undefined || undefined}
            className={styles.item}
            data-apart={isApart || undefined}
            onClick={why === undefined ? onChoose : undefined}
          >
            <span className={styles.name}>{name}</span>
            {hint && (
              <span className={styles.hint} aria-hidden="true">
                {hint}
              </span>
            )}
            {why && <span className={styles.why}>{why}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];

function chooseByHint(key: string, items: readonly MenuItem[]): boolean {
  const item = items.find(({ hint, why }) => hint === key && why === undefined);
  item?.onChoose();
  return item !== undefined;
}
