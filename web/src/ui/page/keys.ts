import { useLayoutEffect, useRef } from 'react';
import { takesText } from './quietKeys';

/** Shortcuts in the list of them. */
export interface KeyGroup {
  title: string;
  /** Each key of `press` works. */
  keys: readonly { press: readonly string[]; does: string }[];
}

/**
 * Whether a key press may be one of the app's shortcuts: not while text is typed, not while a dialog or a menu is open,
 * and never with Ctrl, Alt or Meta.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (takesText(event.target)) return false;
  return document.querySelector('dialog[open], [role="dialog"], #content[inert]') === null;
}

/** Listens for shortcuts. `actionOf` returns what the key does, or nothing if it is not one of them. */
export function useShortcuts(actionOf: (event: KeyboardEvent) => (() => void) | undefined) {
  const latest = useRef(actionOf);
  // With the rows themselves, not after they are painted: a key that comes in between acts on what is shown.
  useLayoutEffect(() => {
    latest.current = actionOf;
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = isShortcut(event) ? latest.current(event) : undefined;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
