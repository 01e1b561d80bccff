import { useEffect, useEffectEvent, useState } from 'react';

type Dialogs = typeof import('./BatchDialogs').BatchDialogs;

let loaded: Dialogs | undefined;

const load = async () => {
  loaded ??= (await import('./BatchDialogs')).BatchDialogs;
};

/** Called when a dialog may soon be needed. Nothing is lost if it fails. */
export function preloadDialogs(): void {
  load().catch(() => undefined);
}

/** The dialogs, which the first rows of a screen do not need; undefined until they are loaded. */
export function useDialogs(isNeeded: boolean, onFailed: () => void): Dialogs | undefined {
  const [, setIsLoaded] = useState(loaded !== undefined);
  const isMissing = isNeeded && !loaded;
  const fail = useEffectEvent(onFailed);
  useEffect(() => {
    if (isMissing)
      load().then(
        () => setIsLoaded(true),
        () => fail(),
      );
  }, [isMissing]);
  return isNeeded ? loaded : undefined;
}
