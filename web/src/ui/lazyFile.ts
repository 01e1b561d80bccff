import { type ComponentType, createElement, lazy } from 'react';

interface ComponentFile<Props> {
  default: ComponentType<Props>;
}

const failed = new Set<() => void>();

/** Files that could not be loaded are requested again when their component is next rendered. */
export function forgetFailures() {
  for (const forget of failed) forget();
  failed.clear();
}

/** A component in a file of its own. Once `preload` has loaded the file, it is rendered without a pause. */
export function lazyFile<Props extends object>(load: () => Promise<ComponentFile<Props>>) {
  let loaded: ComponentFile<Props> | undefined;
  // `lazy` renders a fulfilled thenable at once. For a promise it shows the fallback, which React keeps for 300 ms.
  const start = () =>
    lazy(() => {
      const file = loaded;
      if (!file) {
        return load().catch((reason) => {
          // Not at once: React renders it again to throw the error, and would load without end.
          failed.add(() => {
            Current = start();
          });
          throw reason;
        });
      }
      // biome-ignore lint/suspicious/noThenProperty: React accepts any thenable here
      return { then: (done: (own: typeof file) => void) => done(file) } as Promise<typeof file>;
    });
  let Current = start() as ComponentType<Props>;
  return {
    Component: (props: Props) => createElement(Current, props),
    preload: async () => {
      loaded = await load();
    },
  };
}
