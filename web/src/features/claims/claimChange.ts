import type { QueryClient } from '@tanstack/react-query';
import { changeRow } from '../../api/changeRow';
import { answerOf, api, dataOf } from '../../api/client';
import { RefusedError } from '../../api/errors';
import { type Claim, type ClaimStatus, claimPages } from './claimsQuery';

export interface AskedMove {
  /** As the admin saw it: its version goes along, so that a claim that has changed since is not moved. */
  claim: Claim;
  target: ClaimStatus;
  reason?: string;
  reference?: string;
}

/** After so long without an answer it counts as lost. */
const patienceMilliseconds = 10_000;

export interface Answered {
  claim: Claim;
  /** When this admin had done just this before, e.g. in another window: then nothing has moved now. */
  alreadyAt: string | null;
}

/** The same key for the same move, however often it is sent: the server answers what it answered first. */
export async function moveClaim(asked: AskedMove, key: string): Promise<Answered> {
  const { claim, target, reason, reference } = asked;
  const { data, response } = await answerOf<Claim>(
    api.PUT('/api/claims/{claim_id}/status', {
      params: { path: { claim_id: claim._id }, header: { 'Idempotency-Key': key } },
      body: {
        status: target,
        version: claim.version,
        ...(reason && { reason }),
        ...(reference && { reference }),
      },
      signal: AbortSignal.timeout(patienceMilliseconds),
    }),
  );
  return { claim: data, alreadyAt: response.headers.get('Already-Moved-At') };
}

/** Changes one row in place, in whatever pages hold it; what else is known of the claim is read anew. */
export async function replaceClaim(
  client: QueryClient,
  id: string,
  change: (claim: Claim) => Claim,
): Promise<void> {
  await changeRow(client, claimPages, id, change);
  void client.invalidateQueries({ queryKey: ['claims', 'details'] });
}

/**
 * Puts the claim as the server has it now into its row and returns it, or nothing when there is no such claim:
 * then the row stays where it is and allows nothing. Throws when it cannot be read.
 * Not through a page: when another row's move cancels that, it answers with the old rows, and an old row is
 * what gets a claim paid twice.
 */
export async function readClaimAnew(client: QueryClient, id: string): Promise<Claim | undefined> {
  const claim = await readClaim(id);
  await replaceClaim(client, id, (before) => claim ?? { ...before, moves: [] });
  return claim;
}

async function readClaim(id: string): Promise<Claim | undefined> {
  try {
    return await dataOf<Claim>(
      api.GET('/api/claims/{claim_id}', {
        params: { path: { claim_id: id } },
        signal: AbortSignal.timeout(patienceMilliseconds),
      }),
    );
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'claim_not_found') return undefined;
    throw error;
  }
}
