import { type Preset, presets } from '../../ui/table/filters/presets';
import { today } from '../../ui/text/deskDay';

/** The periods that statements are asked for. A financial year begins in April. */
export function statementPeriods(day: string = today()): Preset[] {
  const year = Number(day.slice(0, 4)) - (day.slice(5, 7) < '04' ? 1 : 0);
  return [
    ...presets(day).filter(({ name }) => name === 'This month' || name === 'Last month'),
    { name: 'This financial year', from: `${year}-04-01`, to: day },
  ];
}

/** The period in the URL, or this month. */
export function periodOf(search: string): Pick<Preset, 'from' | 'to'> {
  const query = new URLSearchParams(search);
  const [month] = statementPeriods();
  return {
    from: query.get('from') ?? month?.from ?? '',
    to: query.get('to') ?? month?.to ?? '',
  };
}
