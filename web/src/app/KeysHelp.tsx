import { useEffect, useState } from 'react';
import { KeyboardHelp, type KeyGroup } from '../ui/dialog/KeyboardHelp';
import { isShortcut } from '../ui/page/keys';
import { routes } from './routes';

const inTables: KeyGroup = {
  title: 'In a table',
  keys: [
    { press: ['/'], does: 'Search' },
    { press: ['j', 'k'], does: 'Go to the next or the previous row' },
    { press: ['x'], does: 'Select the row' },
    { press: ['Enter'], does: 'Open the row' },
    { press: ['Esc'], does: 'Clear the search, or close what is open' },
  ],
};
const everywhere: KeyGroup = {
  title: 'Everywhere',
  keys: [{ press: ['?'], does: 'Show these keys' }],
};
const groups = [inTables, ...routes.flatMap(({ keys }) => keys ?? []), everywhere];

/** Opens the list of all keyboard shortcuts when `?` is pressed. */
export function KeysHelp() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === '?' && isShortcut(event)) setIsOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return isOpen && <KeyboardHelp groups={groups} onClose={() => setIsOpen(false)} />;
}
