import type { Query, QueryClient } from '@tanstack/react-query';
import { changeRows, type Page, rowsKey } from '../../api/pages';
import { refetchOutdated } from '../../api/queryClient';
import {
  type Claim,
  claimDetailsKey,
  claimList,
  claimTasks,
  loadedClaims,
  readClaim,
} from '../../entities/claim/claim';
import { type Change, liveChanges } from '../../entities/claim/liveChanges';
import { clientsKey, isStatement } from '../../entities/client/client';

export interface ChangedClaim {
  claim: Claim;
  change: Change;
}

/** Changes that arrive within this time are handled together. */
const gatherMilliseconds = 100;
const busyMilliseconds = 300;
const failedMilliseconds = 3_000;
const mostAtOnce = 4;
/** With more claims to read than this, refetching whole pages is cheaper. */
const mostSingly = 20;
/** More than the largest batch has. */
const mostRemembered = 20_000;

/** Keeps the rows of the claims up to date with the server. No row changes its place. */
export function createClaimUpdates(
  client: QueryClient,
  /** Receives the rows that were changed by other admins, or by this admin elsewhere. */
  onChanged: (changed: readonly ChangedClaim[]) => unknown,
) {
  let pending = new Map<string, Change>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWorking = false;
  let isOver = false;

  /** Events may arrive out of order: for each claim the newest version counts. */
  const remember = (change: Change) => {
    const known = pending.get(change.subjectId);
    if (!known || (known.version ?? 0) < (change.version ?? 0))
      pending.set(change.subjectId, change);
  };

  const add = (change: Change) => {
    remember(change);
    workIn(gatherMilliseconds);
  };

  const workIn = (milliseconds: number) => {
    if (!isWorking && !isOver) timer ??= setTimeout(() => void work(), milliseconds);
  };

  const work = async () => {
    timer = undefined;
    isWorking = true;
    // While this tab moves a claim itself, the response says more than the event.
    const due = [...pending.values()].filter(({ subjectId }) => !claimTasks.isBusy(subjectId));
    for (const { subjectId } of due) pending.delete(subjectId);
    const now = due.map((change): [string, Change] => [change.subjectId, change]);
    liveChanges.set(new Map([...liveChanges.get(), ...now].slice(-mostRemembered)));
    const hasFailed = !(await refresh(due));
    isWorking = false;
    if (pending.size > 0) workIn(hasFailed ? failedMilliseconds : busyMilliseconds);
  };

  /** Returns false if some claims could not be read; those are read the next time. */
  const refresh = async (changes: readonly Change[]): Promise<boolean> => {
    refetchRelated(client, changes);
    let old = olderThan(client, changes);
    const changed = new Map(old.map((change) => [change.subjectId, change]));
    if (old.length > mostSingly) {
      await refetchPages(client);
      // A row that no longer matches the filters is missing from the new page, but still on the screen.
      old = olderThan(client, changes);
    }
    // A statement has no ids of claims, so every change may be about it. Awaited, so that a slow
    // server is not asked faster than it answers.
    await refetchOutdated(client, { predicate: isStatement });
    const failed = await readSingly(old.map(({ subjectId }) => subjectId));
    for (const change of old.filter(({ subjectId }) => failed.includes(subjectId))) {
      changed.delete(change.subjectId);
      remember(change);
    }
    const rows = loadedClaims(client);
    const updates = [...changed].flatMap(([id, change]) => {
      const claim = rows.get(id);
      return claim ? [{ claim, change }] : [];
    });
    if (updates.length > 0 && !isOver) onChanged(updates);
    return failed.length === 0;
  };

  /** After a gap every row may have changed. Nothing is announced, because nobody knows who changed them. */
  const reset = async () => {
    const before = loadedClaims(client);
    await refetchPages(client);
    const left = [...loadedClaims(client).values()].filter((row) => before.get(row._id) === row);
    await readSingly(left.map(({ _id }) => _id));
  };

  /** Reads these claims, a few at a time, and updates their rows. Returns the ids that could not be read. */
  const readSingly = async (ids: readonly string[]): Promise<string[]> => {
    const failed: string[] = [];
    for (let start = 0; start < ids.length && !isOver; start += mostAtOnce) {
      const changes = new Map<string, (row: Claim) => Claim>();
      const readOne = (id: string) =>
        readClaim(id).then(
          (now) => changes.set(id, (row) => newerOf(row, now)),
          () => failed.push(id),
        );
      await Promise.all(ids.slice(start, start + mostAtOnce).map(readOne));
      if (changes.size > 0) await changeRows(client, claimList.noun, changes);
    }
    return failed;
  };

  /** A page that was requested before a change may arrive after it. */
  const stopComparing = client.getQueryCache().subscribe((event) => {
    // What `setQueryData` writes (`manual`) is no news from the server.
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return;
    const [noun, part] = event.query.queryKey;
    if (noun !== claimList.noun || part !== 'rows') return;
    const page: Page<Claim> = event.query.state.data;
    for (const row of [...page.rows, ...(page.fresh?.rows ?? [])]) {
      const change = liveChanges.get().get(row._id);
      if (change && (change.version ?? 0) > row.version) add(change);
    }
  });

  const stop = () => {
    isOver = true;
    stopComparing();
    clearTimeout(timer);
    pending = new Map();
    liveChanges.set(new Map());
  };

  return { add, reset, stop };
}

/** The changes that the loaded rows do not include yet. */
function olderThan(client: QueryClient, changes: readonly Change[]): Change[] {
  const rows = loadedClaims(client);
  return changes.filter(({ subjectId, version }) => {
    const row = rows.get(subjectId);
    return row !== undefined && (version === null || row.version < version);
  });
}

/** Refetches the pages in view now, and the other pages when they are scrolled into view. */
async function refetchPages(client: QueryClient) {
  const queryKey = rowsKey(claimList.noun);
  client.removeQueries({ queryKey, type: 'inactive' });
  await refetchOutdated(client, { queryKey });
}

/** An own move may have been answered meanwhile. A claim that no longer exists allows no moves. */
function newerOf(row: Claim, now: Claim | undefined): Claim {
  if (!now) return { ...row, moves: [] };
  return now.version < row.version ? row : now;
}

/** Refetches what else shows these claims: the opened claim, the page of a client, a receipt. */
function refetchRelated(client: QueryClient, changes: readonly Change[]) {
  const updates = new Map(changes.map((change) => [change.subjectId, change]));
  const isOld = ({ _id, status, version }: Some) => {
    const change = updates.get(_id);
    if (!change) return false;
    return change.status !== status || (change.version ?? 0) > (version ?? Infinity);
  };
  const isAffected = ({ queryKey, state: { data } }: Query) =>
    data ? claimsIn(data).some(isOld) : updates.has(queryKey.at(-1) as string);
  for (const queryKey of [claimDetailsKey, clientsKey]) {
    const affected = { queryKey, predicate: isAffected };
    // A request in progress may have been sent before the change.
    void client.cancelQueries(affected).then(() => client.invalidateQueries(affected));
  }
}

/** A claim in the data of a query. Some screens get less than the whole claim. */
interface Some {
  _id: string;
  status: string;
  version?: number;
}

const isClaim = (data: object): data is Some =>
  '_id' in data && typeof data._id === 'string' && 'status' in data;

/** The claims in the data of a query, however deep: each screen has data of its own shape. */
function claimsIn(data: unknown): Some[] {
  if (typeof data !== 'object' || data === null) return [];
  const inside = Object.values(data).flatMap(claimsIn);
  return isClaim(data) ? [data, ...inside] : inside;
}
