import type { QueryClient } from '@tanstack/react-query';
import { changeRow } from '../../api/changeRow';
import { answerOf, api, dataOf } from '../../api/client';
import { RefusedError } from '../../api/errors';
import { type Claim, type ClaimStatus, claimPages } from './claimsQuery';

export interface AskedMove {
  /** The claim as the admin saw it. Its version is sent along, so that a claim that has changed since is not moved. */
  claim: Claim;
  target: ClaimStatus;
  reason?: string;
  reference?: string;
}

/** A request without a response counts as lost after this time. */
const patienceMilliseconds = 10_000;

export interface Answered {
  claim: Claim;
  /** Set if this admin had already made this move, e.g. in another window: then nothing was changed now. */
  alreadyAt: string | null;
}

/** Every retry of a move sends the same idempotency key, so the server repeats its first response. */
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

/** Changes one row in place, in every page that has it, and refetches the details of the claims. */
export async function replaceClaim(
  client: QueryClient,
  id: string,
  change: (claim: Claim) => Claim,
): Promise<void> {
  await changeRow(client, claimPages, id, change);
  void client.invalidateQueries({ queryKey: ['claims', 'details'] });
}

/**
 * Reads the claim from the server, updates its row and returns it. Returns undefined if the claim does not exist:
 * then the row stays in its place and allows no moves. Throws if the claim cannot be read. Does not use a page query:
 * when a move of another row cancels it, it returns the old rows, and an old row is how a claim gets paid twice.
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
