import type { QueryClient } from '@tanstack/react-query';
import { changeRow } from '../../api/changeRow';
import { answerOf, api } from '../../api/client';
import {
  type Claim,
  type ClaimStatus,
  claimDetailsKey,
  claimList,
  claimTimeoutMilliseconds,
  readClaim,
} from '../../entities/claim/claim';

export interface MoveRequest {
  /** The claim as the admin saw it. Its version is sent along, so that a claim that has changed since is not moved. */
  claim: Claim;
  target: ClaimStatus;
  reason?: string;
  reference?: string;
}

export interface MoveResponse {
  claim: Claim;
  /** Set if this admin had already made this move, e.g. in another window: then nothing was changed now. */
  alreadyAt: string | null;
}

/** Every retry of a move sends the same idempotency key, so the server repeats its first response. */
export async function sendMove(asked: MoveRequest, key: string): Promise<MoveResponse> {
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
      signal: AbortSignal.timeout(claimTimeoutMilliseconds),
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
  await changeRow(client, claimList.noun, id, change);
  void client.invalidateQueries({ queryKey: claimDetailsKey });
}

/**
 * Reads the claim from the server, updates its row and returns it. Returns undefined if the claim does not exist:
 * then the row stays in its place and allows no moves. Throws if the claim cannot be read. Does not use a page query:
 * when a move of another row cancels it, it returns the old rows, and an old row is how a claim gets paid twice.
 */
export async function reloadClaim(client: QueryClient, id: string): Promise<Claim | undefined> {
  const claim = await readClaim(id);
  await replaceClaim(client, id, (before) => claim ?? { ...before, moves: [] });
  return claim;
}
