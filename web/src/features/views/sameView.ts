import type { SavedView } from './viewsQuery';

/** The same parameters in another order show the same. */
export function isSameSearch(one: string, other: string): boolean {
  const inOrder = (search: string) => {
    const given = new URLSearchParams(search);
    given.sort();
    return given.toString();
  };
  return inOrder(one) === inOrder(other);
}

/** As the server compares names. */
const nameKey = (name: string) => name.normalize('NFKC').toLowerCase();

export const viewNamed = (views: readonly SavedView[], name: string) =>
  views.find((view) => nameKey(view.name) === nameKey(name));
