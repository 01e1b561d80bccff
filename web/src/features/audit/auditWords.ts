import type { AuditEntry } from '../../entities/audit/audit';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatRupees } from '../../ui/text/rupees';

const spaced = (name: string) => name.replace(/([a-z])([A-Z])|[._-]/g, '$1 $2').toLowerCase();
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const nounWords = (noun: string) =>
  ({ qr: 'QR codes', policy: 'Policy', key: 'API keys' })[noun] ?? sentence(`${noun}s`);

type Details = Readonly<Record<string, unknown>>;

/** What only `audit verify` compares, and tells a reader nothing. */
const isForVerify = (name: string) => name.endsWith('Digest');

/** What changed, e.g. `Status: Pending → Paid`. What stayed the same is left out. */
export function changeWords({ verb, subjectId, before, after }: AuditEntry): string[] {
  const was: Details = before ?? {};
  const became: Details = after ?? {};
  // The version says least, so it comes last.
  const names = [...new Set([...Object.keys(was), ...Object.keys(became), 'version'])]
    .filter((name) => (name in was || name in became) && !isForVerify(name))
    .sort((one, other) => Number(one === 'version') - Number(other === 'version'));
  const changes = names.flatMap((name) => {
    // What an upgrade recorded: up to fifty records as they were.
    if (verb === 'baseline.recorded' && name === 'records')
      return [`Records: ${Object.keys(became.records ?? {}).length}`];
    const [old, now] = [wordsOf(was[name], verb, name), wordsOf(became[name], verb, name)];
    const label = sentence(spaced(name.replace(/_?paise$/i, '') || 'amount'));
    if (!(name in became)) return [`${label} was ${old}`];
    if (!(name in was)) return now === 'none' ? [] : [`${label}: ${now}`];
    return old === now ? [] : [`${label}: ${old} → ${now}`];
  });
  return verb === 'policy.changed' ? [sentence(spaced(subjectId)), ...changes] : changes;
}

function wordsOf(value: unknown, verb: string, name: string): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (/paise$/i.test(name) && typeof value === 'number') return formatRupees(value / 100);
  // The policy stores an amount in paise.
  if (verb === 'policy.changed' && name === 'setting' && /^\d+$/.test(String(value)))
    return formatRupees(Number(value) / 100);
  if (Array.isArray(value))
    return value.length ? value.map((one) => wordsOf(one, verb, '')).join(', ') : 'none';
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(
      ([key, part]) => `${spaced(key)} ${wordsOf(part, verb, key)}`,
    );
    return parts.join(', ') || 'none';
  }
  return String(value);
}

/** Which rows are not sealed yet, in a few words. */
export function sealingWords(sealing: { unsealed: number; oldestUnsealedAt: string | null }) {
  const { unsealed, oldestUnsealedAt } = sealing;
  if (unsealed === 0) return 'All sealed';
  const since = oldestUnsealedAt ? ` since ${formatMoment(oldestUnsealedAt)}` : '';
  return `${countOf(unsealed, 'row')} not sealed yet${since}`;
}
