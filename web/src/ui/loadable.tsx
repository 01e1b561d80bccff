import { type ComponentType, lazy, useState } from 'react';

/**
 * A component in a separate file. Once loaded, it renders immediately; `lazy` alone would first show its fallback, and
 * React keeps a fallback visible for a third of a second.
 */
export function loadable<Props extends object, File extends { default: ComponentType<Props> }>(
  load: () => Promise<File & { default: ComponentType<Props> }>,
) {
  const Lazy = lazy(load) as unknown as ComponentType<Props>;
  let loaded: ComponentType<Props> | undefined;
  function Loadable(props: Props) {
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? Lazy);
    return <Shown {...props} />;
  }
  return Object.assign(Loadable, {
    load: async () => {
      const file = await load();
      loaded = file.default;
      return file;
    },
  });
}
