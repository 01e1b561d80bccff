import type { Claim } from '../../entities/claim/claim';

export interface RowNews {
  claim: Claim;
  /** The name of another admin. */
  by: string | undefined;
}

const markedMilliseconds = 4_000;
/** The pause between announcements: a screen reader that reads every row reads nothing else. */
const quietMilliseconds = 4_000;

const deedOf = ({ claim, by }: RowNews) => `${claim.status} by ${by} just now`;

const rowOf = (id: string) => document.querySelector(`[data-row-id="${CSS.escape(id)}"]`);

/** Highlights the changed rows for a moment. With very many rows it would only flicker. */
export function markRows(rows: readonly RowNews[]) {
  // After the rows are rendered again.
  requestAnimationFrame(() => {
    for (const news of rows) {
      const row = rowOf(news.claim._id);
      row?.setAttribute('data-news', '');
      if (news.by) row?.setAttribute('title', deedOf(news));
      setTimeout(() => {
        row?.removeAttribute('data-news');
        row?.removeAttribute('title');
      }, markedMilliseconds);
    }
  });
}

/** Announces what other admins did with the visible rows, one sentence at a time. */
export function createTeller(say: (sentence: string) => void) {
  let waiting: RowNews[] = [];
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const speak = () => {
    quiet = undefined;
    say(sentenceOf(waiting));
    if (waiting.length === 0) return;
    waiting = [];
    quiet = setTimeout(speak, quietMilliseconds);
  };

  return {
    tell: (rows: readonly RowNews[]) => {
      waiting.push(...rows.filter(({ claim, by }) => by && rowOf(claim._id)));
      if (waiting.length > 0 && quiet === undefined) speak();
    },
    stop: () => clearTimeout(quiet),
  };
}

function sentenceOf(news: readonly RowNews[]): string {
  const [first] = news;
  if (!first) return '';
  if (news.length === 1) return `${first.claim.user.username}: ${deedOf(first)}`;
  const names = [...new Set(news.map(({ by }) => by))].join(', ');
  return `${news.length} claims were changed by ${names} just now`;
}
