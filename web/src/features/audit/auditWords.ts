import type { AuditEntry } from '../../entities/audit/audit';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatRupees } from '../../ui/text/rupees';

const verbs: Readonly<Record<string, string>> = {
  'admin.added': 'Added an admin',
  'admin.disabled': 'Disabled an admin',
  'admin.enabled': 'Enabled an admin',
  'admin.factor_added': 'Set up a second factor',
  'admin.factor_removed': 'Removed a second factor',
  'admin.factors_reset': 'Reset the second factors of an admin',
  'admin.invitation_withdrawn': 'Withdrew an invitation',
  'admin.invited': 'Invited an admin',
  'admin.password_changed': 'Changed a password',
  'admin.recovery_codes_made': 'Made new recovery codes',
  'admin.reset_offered': 'Made a link for a new password',
  'admin.role_changed': 'Changed a role',
  'admin.searches_refused': 'Refused searches for numbers',
  'admin.setup_offered': 'Offered the setup of the first admin',
  'backup.made': 'Made a backup',
  'backup.restored': 'Restored a backup',
  'batch.confirmed': 'Confirmed a bulk move',
  'batch.ended': 'Finished a bulk move',
  'batch.left': 'Gave up a bulk move',
  'batch.planned': 'Planned a bulk move',
  'claim.added': 'Added a claim',
  'claim.corrected': 'Corrected a claim',
  'claim.moved': 'Moved a claim',
  'claim.revealed': 'Revealed the numbers of a claim',
  'client.noted': 'Wrote a note about a client',
  'client.revealed': 'Revealed the mobile number of a client',
  'demo.filled': 'Filled the desk with made-up data',
  'export.ended': 'Ended an export',
  'export.requested': 'Started an export',
  'import.ended': 'Ended an import',
  'import.planned': 'Planned an import',
  'import.started': 'Started an import',
  'import.uploaded': 'Uploaded files to import',
  'key.added': 'Added an API key',
  'key.revoked': 'Revoked an API key',
  'list.read': 'Read a whole list',
  'login.refused': 'Refused logins',
  'partition.made': 'Made partitions of a table',
  'policy.changed': 'Changed the policy',
  'purchase.added': 'Added a purchase',
  'purchase.confirmed': 'Checked the findings of a purchase',
  'purchase.proof_added': 'Added the payment proof of a purchase',
  'purchase.reopened': 'Sent a purchase back to review',
  'qr.confirmed': 'Confirmed a QR code',
  'qr.deleted': 'Deleted a QR code',
  'qr.display_requested': 'Asked to display a QR code',
  'qr.display_withdrawn': 'Withdrew a display request',
  'qr.read': 'Read a QR code again',
  'qr.status_changed': 'Displayed or hid a QR code',
  'qr.uploaded': 'Uploaded a QR code',
  'session.ended': 'Logged out',
  'session.factor_refused': 'Gave a second factor that was refused',
  'session.opened': 'Logged in',
  'session.step_up_granted': 'Confirmed an action with a second factor',
  'session.step_up_used': 'Used the confirmation',
  'user.added': 'Added a user',
  'user.corrected': 'Corrected a user',
  'view.changed': 'Changed a saved view',
  'view.deleted': 'Deleted a saved view',
  'view.saved': 'Saved a view',
  'webhook.added': 'Added a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.disabled': 'Disabled a webhook',
  'webhook.removed': 'Removed a webhook',
  'webhook.resent': 'Sent events again',
  'webhook.secret_rotated': 'Replaced the secret of a webhook',
  'webhook.tested': 'Tested a webhook',
};

const spaced = (name: string) => name.replace(/([a-z])([A-Z])|[._-]/g, '$1 $2').toLowerCase();
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A verb that this version does not know is shown as the log has it. */
export const verbWords = (verb: string) => verbs[verb] ?? sentence(spaced(verb));

export const nounWords = (noun: string) =>
  ({ qr: 'QR codes', policy: 'Policy', key: 'API keys' })[noun] ?? sentence(`${noun}s`);

type Details = Readonly<Record<string, unknown>>;

/** What changed, e.g. `Status: Pending → Paid`. What stayed the same is left out. */
export function changeWords({ verb, subjectId, before, after }: AuditEntry): string[] {
  const was: Details = before ?? {};
  const became: Details = after ?? {};
  // The version says least, so it comes last.
  const names = [...new Set([...Object.keys(was), ...Object.keys(became), 'version'])]
    .filter((name) => name in was || name in became)
    .sort((one, other) => Number(one === 'version') - Number(other === 'version'));
  const changes = names.flatMap((name) => {
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
