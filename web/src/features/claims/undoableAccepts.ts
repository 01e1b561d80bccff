import { onSessionChange } from '../../api/session';
import type { Claim } from '../../entities/claim/claim';

/**
 * The claims that this admin has accepted in this tab, newest last. The server decides whether an Accept can be
 * undone.
 */
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
