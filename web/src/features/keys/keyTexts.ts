import type { ApiKey, Scope } from '../../entities/key/key';
import { momentOf } from '../../ui/text/deskClock';
import type { StatusTone } from '../../ui/text/StatusLabel';

export const scopes: readonly { value: Scope; label: string; sentence: string }[] = [
  { value: 'users:write', label: 'users:write', sentence: 'Add users; correct a name or mobile.' },
  { value: 'purchases:write', label: 'purchases:write', sentence: 'Add purchases.' },
  {
    value: 'claims:write',
    label: 'claims:write',
    sentence: 'Add claims; correct or withdraw one while it is Pending.',
  },
  { value: 'read', label: 'read', sentence: 'Read the lists of users, purchases and claims.' },
];

export const toneOf: Record<ApiKey['state'], StatusTone> = {
  active: 'done',
  expired: 'waiting',
  revoked: 'refused',
};

/** Separated by commas or spaces. */
export const splitNetworks = (written: string) => written.split(/[\s,]+/).filter(Boolean);

/** The end of a day at the desk: a key that expires on a day still works on that day. */
export const endOfDay = (day: string) => momentOf(`${day}T23:59:59.999`);
