import { onSessionChange } from '../../api/session';
import type { Claim } from './claimsQuery';

/** What this admin has accepted in this tab, the last one last. Whether it may be undone is the server's to say. */
let accepts: readonly Claim[] = [];
onSessionChange(() => {
  accepts = [];
});

export const rememberAccept = (claim: Claim) => {
  accepts = [...accepts, claim];
};
export const forgetAccept = (id: string) => {
  accepts = accepts.filter(({ _id }) => _id !== id);
};
export const lastAccept = () => accepts.at(-1);
