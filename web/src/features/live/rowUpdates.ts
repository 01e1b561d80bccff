import type { Claim } from '../../entities/claim/claim';
import { nameInText } from '../../ui/text/names';

interface RowUpdate {
  claim: Claim;
  by: string | undefined;
}

const markedMilliseconds = 4_000;
/** The pause between announcements: a screen reader that reads every row reads nothing else. */
const quietMilliseconds = 4_000;

const actionText = ({ claim, by }: RowUpdate) => `${claim.status} by ${by} just now`;

const rowOf = (id: string) => document.querySelector(`[data-row-id="${CSS.escape(id)}"]`);

/** Highlights the changed rows for a moment. With very many rows it would only flicker. */
export function highlightRows(rows: readonly RowUpdate[]) {
  // After the rows are rendered again.
  requestAnimationFrame(() => {
    for (const update of rows) {
      const row = rowOf(update.claim._id);
      row?.setAttribute('data-news', '');
      if (update.by) row?.setAttribute('title', actionText(update));
      setTimeout(() => {
        row?.removeAttribute('data-news');
        row?.removeAttribute('title');
      }, markedMilliseconds);
    }
  });
}

/** Announces what other admins did with the visible rows, one sentence at a time. */
export function createAnnouncer(say: (sentence: string) => void) {
  let waiting: RowUpdate[] = [];
  let quiet: ReturnType<typeof setTimeout> | undefined;

  const speak = () => {
    quiet = undefined;
    say(sentenceOf(waiting));
    if (waiting.length === 0) return;
    waiting = [];
    quiet = setTimeout(speak, quietMilliseconds);
  };

  return {
    announce: (rows: readonly RowUpdate[]) => {
      waiting.push(...rows.filter(({ claim, by }) => by && rowOf(claim._id)));
      if (waiting.length > 0 && quiet === undefined) speak();
    },
    stop: () => clearTimeout(quiet),
  };
}

function sentenceOf(updates: readonly RowUpdate[]): string {
  const [first] = updates;
  if (!first) return '';
  if (updates.length === 1) return `${nameInText(first.claim.user)}: ${actionText(first)}`;
  const names = [...new Set(updates.map(({ by }) => by))].join(', ');
  return `${updates.length} claims were changed by ${names} just now`;
}
