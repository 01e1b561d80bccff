import { lazy, Suspense, useEffect, useState } from 'react';
import { useModal } from '../ui/dialog/modal';
import { notLoaded } from '../ui/notices/NotLoaded';
import { isShortcut } from '../ui/page/keys';

const KeysHelp = lazy(() => import('./later/KeysHelp').catch(notLoaded));
const Palette = lazy(() => import('./later/Palette').catch(notLoaded));

export type Overlay = 'keys' | 'palette';

interface OverlaysProps {
  open: Overlay | null;
  onOpen: (overlay: Overlay | null) => void;
}

/** The list of shortcuts and the command palette, opened by a key or by the header. */
export function Overlays({ open, onOpen }: OverlaysProps) {
  // The element that had the focus may be gone when the palette closes; the screen then takes it.
  const [typed, setTyped] = useState('');
  const close = () => {
    setTyped('');
    onOpen(null);
  };
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === '?' && isShortcut(event)) {
        event.preventDefault();
        onOpen('keys');
      }
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isPalette || event.altKey || event.shiftKey) return;
      // The browser's own use of the key would take the admin out of the page.
      event.preventDefault();
      // It opens above a panel: what is typed next must not become keys of the panel, which move the claim.
      const isHeld = 'dialog[open]:modal:not([data-panel]), #content[inert]';
      if (!document.querySelector(isHeld)) onOpen('palette');
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onOpen]);
  return (
    <Suspense
      fallback={
        open === 'palette' && <EarlyField typed={typed} onType={setTyped} onClose={close} />
      }
    >
      {open === 'keys' && <KeysHelp onClose={close} />}
      {open === 'palette' && (
        <Palette typed={typed} onKeys={() => onOpen('keys')} onClose={close} />
      )}
    </Suspense>
  );
}

interface EarlyFieldProps {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}

/** Takes what is typed while the palette loads. Otherwise it would be lost, or a letter would move a claim. */
export function EarlyField({ typed, onType, onClose }: EarlyFieldProps) {
  const { modal } = useModal(onClose);
  return (
    <dialog {...modal} className="visually-hidden">
      <input
        autoFocus
        aria-label="Go to"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={({ key }) => key === 'Enter' && onType(`${typed}\n`)}
      />
    </dialog>
  );
}
