import { useEffect, useState } from 'react';

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
export function useDialogs(isNeeded: boolean): Dialogs | undefined {
  const [state, setState] = useState<{ error?: unknown }>({});
  const isMissing = isNeeded && !loaded;
  useEffect(() => {
    if (isMissing)
      load().then(
        () => setState({}),
        (error) => setState({ error }),
      );
  }, [isMissing]);
  // The screen then says that it is broken and can be reloaded.
  if (isMissing && state.error) throw state.error;
  return isNeeded ? loaded : undefined;
}
