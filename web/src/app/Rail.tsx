import { useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/Button';
import { BackIcon, ForwardIcon } from '../ui/icons/icons';
import { MenuLinks } from './SideMenu';
import styles from './SideMenu.module.css';

/** From here on there is room for the icons, and from there on for their labels beside a whole table. */
const forIcons = '(min-width: 1280px)';
const forLabels = '(min-width: 1440px)';
const key = 'menu-rail';

type RailState = 'wide' | 'narrow' | undefined;

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

const fits = (query: string) => () => window.matchMedia(query).matches;

interface RailOf {
  state: RailState;
  /** Absent where there is no room for the labels. */
  onToggle: (() => void) | undefined;
}

/** On wide screens the menu stays open beside the content. Whether it shows its labels is remembered. */
export function useRail(): RailOf {
  const hasRail = useSyncExternalStore(onResize, fits(forIcons));
  const canBeWide = useSyncExternalStore(onResize, fits(forLabels));
  const [isNarrow, setIsNarrow] = useState(() => localStorage.getItem(key) === 'narrow');
  const onToggle = () => {
    localStorage.setItem(key, isNarrow ? 'wide' : 'narrow');
    setIsNarrow(!isNarrow);
  };
  if (!hasRail) return { state: undefined, onToggle: undefined };
  if (!canBeWide) return { state: 'narrow', onToggle: undefined };
  return { state: isNarrow ? 'narrow' : 'wide', onToggle };
}

interface RailProps extends RailOf {
  inert: boolean;
  troubles: Readonly<Record<string, string>>;
}

export function Rail({ state, onToggle, inert, troubles }: RailProps) {
  const label = state === 'wide' ? 'Hide labels' : 'Show labels';
  return (
    <nav aria-label="Main menu" className={styles.rail} data-state={state} inert={inert}>
      <MenuLinks isShown troubles={troubles} />
      {onToggle && (
        <Button
          look="icon"
          className={styles.collapse}
          aria-label={label}
          title={label}
          onClick={onToggle}
        >
          {state === 'wide' ? <BackIcon /> : <ForwardIcon />}
        </Button>
      )}
    </nav>
  );
}
