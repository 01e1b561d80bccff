import { type ComponentType, lazy } from 'react';

interface ComponentFile<Props> {
  default: ComponentType<Props>;
}

/** A component in a file of its own. Once `preload` has loaded the file, it is rendered without a pause. */
export function lazyFile<Props>(load: () => Promise<ComponentFile<Props>>) {
  let loaded: ComponentFile<Props> | undefined;
  return {
    // `lazy` renders a fulfilled thenable at once. For a promise it shows the fallback, which React keeps for 300 ms.
    Component: lazy(() => {
      const file = loaded;
      if (!file) return load();
      // biome-ignore lint/suspicious/noThenProperty: React accepts any thenable here
      return { then: (done: (own: typeof file) => void) => done(file) } as Promise<typeof file>;
    }),
    preload: async () => {
      loaded = await load();
    },
  };
}
