import type { SavedView } from './viewsQuery';

/** The order of the parameters does not matter. */
export function isSameSearch(one: string, other: string): boolean {
  const inOrder = (search: string) => {
    const given = new URLSearchParams(search);
    given.sort();
    return given.toString();
  };
  return inOrder(one) === inOrder(other);
}

/** Normalizes a name as the server does when it compares names. */
const nameKey = (name: string) => name.normalize('NFKC').toLowerCase();

export const findViewByName = (views: readonly SavedView[], name: string) =>
  views.find((view) => nameKey(view.name) === nameKey(name));
