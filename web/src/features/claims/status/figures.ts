import type { Schemas } from '../../../api/client';
import type { ClaimStatus } from '../../../entities/claim/claim';
import { claimStatuses, isSettled } from '../../../entities/claim/status';
import { isFiltered, type View } from '../../../ui/table/filters/view';
import { plainCount } from '../../../ui/table/frame/Summary';
import {
  countOf,
  formatCount,
  formatRupees,
  shortRupees,
  sumRupees,
} from '../../../ui/text/rupees';

type Totals = Schemas['ClaimTotals'];
export type Figures = Schemas['ClaimFigures'];
type Paid = Figures['paidToday'];

export interface StatusItem {
  /** Empty for all. */
  status: ClaimStatus | '';
  count: string;
  amount: number | null;
}

/** All claims that match the search and the other filters, and those of each status. */
export function statusItems(totals: Totals | undefined): StatusItem[] {
  const found = totals?.byStatus ?? [];
  const isExact = found.every((one) => one.isExact);
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const all = {
    count,
    isExact,
    amount: isExact ? sumRupees(found, (one) => one.amount ?? 0) : null,
  };
  return ['' as const, ...claimStatuses].map((status) => {
    const one = status ? found.find((each) => each.status === status) : totals && all;
    return { status, count: one ? shownCount(one) : '', amount: one?.amount ?? null };
  });
}

const shownCount = (found: { count: number; isExact: boolean }) =>
  `${formatCount(plainCount(found))}${found.isExact ? '' : '+'}`;

export interface Figure {
  name: string;
  value: string;
  /** In full, where `value` is shortened. */
  title?: string;
  /** The view that it leads to. */
  view: Partial<View>;
  isShown: boolean;
}

/** In lakh and crore, where there is no space for the full amount. */
const short = new Intl.NumberFormat('en-IN', {
  style: 'currency',
  currency: 'INR',
  notation: 'compact',
  maximumSignificantDigits: 3,
});
/** Thousands stay in digits: their Indian abbreviation, a T, reads as trillions elsewhere. */
export const formatShort = (amount: number) => {
  if (amount < 100_000) return shortRupees(Math.round(amount));
  // The abbreviation of a thousand crore, KCr, is not used by anyone.
  if (amount >= 999.5e7) return `${shortRupees(Math.round(amount / 1e7))} Cr`;
  return short.format(amount).replace(/[A-Z]/, ' $&');
};

/** The figures beside the statuses. Each leads to the list that it describes, without any other filter. */
export function figuresFor(view: View, figures: Figures): Figure[] {
  const { status = 'Pending', ...others } = view.filters;
  const oldest = figures.oldest.find((one) => one.status === status);
  const isAlone = !isFiltered({ ...view, filters: others });
  const paid = (name: string, { since, count, amount, isExact }: Paid): Figure => {
    const days = { movedFrom: since, movedTo: figures.paidToday.since };
    const { movedFrom, movedTo, ...more } = others;
    const isSame = movedFrom === since && movedTo === days.movedTo;
    return {
      name,
      value: [
        shownCount({ count, isExact }),
        ...(amount === null ? [] : [formatShort(amount)]),
      ].join(' · '),
      ...(amount !== null && { title: formatRupees(amount) }),
      view: { q: '', filters: { status: 'Paid', ...days } },
      isShown: status === 'Paid' && isSame && !isFiltered({ ...view, filters: more }),
    };
  };
  return [
    ...(oldest
      ? [
          {
            name: `Oldest ${status.toLowerCase()}`,
            value: ageOf(oldest.createdAt),
            view: { q: '', filters: { status }, sort: 'createdAt' },
            isShown: view.filters.status === status && isAlone && view.sort === 'createdAt',
          },
        ]
      : []),
    paid('Paid today', figures.paidToday),
    paid('Paid this week', figures.paidThisWeek),
  ];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The age in the largest whole unit: "5 min", "3 h", "12 days". */
export function ageOf(iso: string, now: number = Date.now()): string {
  const age = Math.max(0, now - Date.parse(iso));
  if (age < hour) return `${Math.floor(age / minute)} min`;
  if (age < day) return `${Math.floor(age / hour)} h`;
  return countOf(Math.floor(age / day), 'day');
}

/** The amount that may still have to be paid, if every count is exact. */
export function waitingText(totals: Totals | undefined): string {
  const waiting = totals?.byStatus.filter(({ status }) => !isSettled(status)) ?? [];
  const count = waiting.reduce((sum, one) => sum + one.count, 0);
  if (count === 0 || !waiting.every(({ isExact, amount }) => isExact && amount !== null)) return '';
  const amount = sumRupees(waiting, (one) => one.amount ?? 0);
  return `${formatRupees(amount)} waiting in ${countOf(count, 'claim')}`;
}
