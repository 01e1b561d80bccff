import { countOf, formatCount, formatRupees } from '../../ui/text/rupees';
import type { StatusTone } from '../../ui/text/StatusLabel';
import type { Import, ImportEntry, Noun, TotalsLine } from './imports';

export const nounLabels: Record<Noun, string> = {
  users: 'Users',
  purchases: 'Purchases',
  claims: 'Claims',
  qr: 'QR codes',
};

export const nouns = Object.keys(nounLabels) as Noun[];

export const states: Record<ImportEntry['state'], { tone: StatusTone; word: string }> = {
  uploading: { tone: 'waiting', word: 'Uploading' },
  planning: { tone: 'moving', word: 'Checking' },
  planned: { tone: 'waiting', word: 'Not imported yet' },
  running: { tone: 'moving', word: 'Importing' },
  done: { tone: 'done', word: 'Imported' },
  failed: { tone: 'back', word: 'Failed' },
  interrupted: { tone: 'back', word: 'Interrupted' },
};

export const namesOf = ({ files }: Pick<ImportEntry, 'files'>) =>
  files.length > 3
    ? `${files[0]?.name} and ${files.length - 1} other files`
    : files.map(({ name }) => name).join(', ');

export function sizeText(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte');
  const [value, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KB'] : [bytes / 1024 ** 2, 'MB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

export const totalSize = ({ files }: Pick<ImportEntry, 'files'>) =>
  files.reduce((sum, { size }) => sum + size, 0);

/** "12,000 rows, 3,000 a second, about 6 seconds left". */
export function progressText({ rows, rowsPerSecond, secondsLeft }: ImportEntry['progress']) {
  return [
    countOf(rows, 'row'),
    ...(rowsPerSecond > 0 ? [`${formatCount(rowsPerSecond)} a second`] : []),
    ...(secondsLeft === null ? [] : [`${durationText(secondsLeft)} left`]),
  ].join(', ');
}

function durationText(seconds: number): string {
  if (seconds < 90) return `about ${countOf(Math.max(1, seconds), 'second')}`;
  return `about ${countOf(Math.round(seconds / 60), 'minute')}`;
}

/** What became of the rows, in a line of the list. */
export function outcomeText({ state, good, bad, progress }: ImportEntry): string {
  if (state === 'planning' || state === 'running') return progressText(progress);
  if (good + bad === 0) return '';
  return bad === 0 ? countOf(good, 'row') : `${countOf(good, 'row')}, ${formatCount(bad)} bad`;
}

export const isNothing = ({ rows, sums }: TotalsLine['missing']) =>
  rows === 0 && Object.values(sums).every((sum) => sum === 0);

/** Whether everything that should be in the desk is there: one sentence, or one for each noun that differs. */
export function agreement({ report, bad }: Import): { isGood: boolean; lines: string[] } {
  const wrong = (report?.totals ?? []).filter(
    ({ group, missing }) => group === 'all' && !isNothing(missing),
  );
  if (wrong.length > 0) {
    return { isGood: false, lines: ['Source and desk differ.', ...wrong.map(differenceText)] };
  }
  return {
    isGood: true,
    lines: [
      bad === 0
        ? 'Source and desk match: every row and every sum.'
        : `Source and desk agree, except for ${bad === 1 ? 'the bad row' : `the ${formatCount(bad)} bad rows`}.`,
    ],
  };
}

function differenceText({ noun, missing: { rows, sums } }: TotalsLine): string {
  const amounts = Object.entries(sums).map(([title, sum]) => `${title} ${formatRupees(sum)}`);
  return `${nounLabels[noun]}: source minus bad rows minus desk is ${[countOf(rows, 'row'), ...amounts].join(', ')}.`;
}
