import { Suspense, useEffect, useState } from 'react';
import { isShortcut } from '../ui/keys';
import { KeysHelp } from './extras';

/** Opens the list of keyboard shortcuts when `?` is pressed. */
export function Help() {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === '?' && isShortcut(event)) setIsOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    isOpen && (
      <Suspense>
        <KeysHelp onClose={() => setIsOpen(false)} />
      </Suspense>
    )
  );
}
