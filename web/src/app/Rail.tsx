import { useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/Button';
import { BackIcon, ForwardIcon } from '../ui/icons/icons';
import { MenuLinks } from './SideMenu';
import styles from './SideMenu.module.css';

/** From here on there is room for the icons, and from there on for their labels beside a whole table. */
const forIcons = '(min-width: 1280px)';
const forLabels = '(min-width: 1600px)';
const key = 'menu-rail';

type RailState = 'wide' | 'narrow';

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

const fits = (query: string) => () => window.matchMedia(query).matches;

function chosenState(): RailState | undefined {
  const chosen = localStorage.getItem(key);
  return chosen === 'wide' || chosen === 'narrow' ? chosen : undefined;
}

interface RailOf {
  /** Undefined on screens without a rail. */
  state: RailState | undefined;
  onToggle: () => void;
}

/** On wide screens the menu stays open beside the content. Whether it shows its labels is remembered. */
export function useRail(): RailOf {
  const hasRail = useSyncExternalStore(onResize, fits(forIcons));
  const hasRoomForLabels = useSyncExternalStore(onResize, fits(forLabels));
  const [chosen, setChosen] = useState(chosenState);
  const state = chosen ?? (hasRoomForLabels ? 'wide' : 'narrow');
  const onToggle = () => {
    const next = state === 'wide' ? 'narrow' : 'wide';
    localStorage.setItem(key, next);
    setChosen(next);
  };
  return { state: hasRail ? state : undefined, onToggle };
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
      <Button
        look="icon"
        className={styles.collapse}
        aria-label={label}
        title={label}
        onClick={onToggle}
      >
        {state === 'wide' ? <BackIcon /> : <ForwardIcon />}
      </Button>
    </nav>
  );
}
