import { formatDate } from '../../text/dates';
import { shortRupees } from '../../text/rupees';
import { presetOf } from './presets';
import type { Filter, View } from './view';

/** What is shown for a value, by filter name, if not the value itself. */
export type ChoiceTexts = Readonly<Record<string, (value: string) => string>>;

export interface ActiveFilter {
  /** The filters that it consists of: one, or both ends of a range. */
  names: readonly string[];
  text: string;
}

/** The active filters in words, e.g. `Amount: from ₹500`. A range is one of them. */
export function activeFilters(
  filters: readonly Filter[],
  view: View,
  texts: ChoiceTexts = {},
): ActiveFilter[] {
  return filters.flatMap((filter) => {
    const { name, kind, label, endOf } = filter;
    if (endOf) return [];
    const end = filters.find((other) => other.endOf === name);
    const from = view.filters[name];
    const to = end && view.filters[end.name];
    if (!from && !to) return [];
    if (kind === 'flag') return [{ names: [name], text: label }];
    if (kind === 'choice') {
      const value = from ?? '';
      return [{ names: [name], text: `${label}: ${texts[name]?.(value) ?? value}` }];
    }
    const names = end ? [name, end.name] : [name];
    return [{ names, text: `${rangeName(filter)}: ${rangeText(kind, from, to)}` }];
  });
}

/** “Amount” of “Amount from ₹”. */
export const rangeName = ({ label }: Filter) => label.replace(/ from.*/, '');

function rangeText(kind: Filter['kind'], from: string | undefined, to: string | undefined) {
  const preset = kind === 'day' && presetOf(from, to);
  if (preset) return preset.name;
  const shown = (value: string) =>
    kind === 'day' ? formatDate(value) : shortRupees(Number(value));
  if (from && to) return from === to ? shown(from) : `${shown(from)} – ${shown(to)}`;
  return from ? `from ${shown(from)}` : `to ${shown(to ?? '')}`;
}
