import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { liveEvents, setFirstReadsDue, setHasUnfinishedBatch } from '../../api/live';
import { refetchOutdated } from '../../api/queryClient';
import { ownName } from '../../entities/admin/admin';
import type { Change } from '../../entities/claim/liveChanges';
import { clientsKey } from '../../entities/client/client';
import { policyOptions } from '../../entities/policy/policy';
import { qrQuery } from '../../entities/qr/qr';
import { rememberZone } from '../../ui/text/deskDay';
import { type ChangedClaim, createClaimUpdates } from './claimUpdates';
import { openConnection } from './connection';
import { type OpenClaim, reportOpenClaim, showOpenClaims } from './presence';
import { describeQrChange, displayRequested } from './qrUpdates';
import { createTotalsUpdates } from './totalsUpdates';

/** What was done with a QR code. It concerns every admin, on any screen. */
export interface QrUpdate {
  id: string;
  /** Empty to remove an earlier sentence. */
  sentence: string;
  /** It asks for an action, and stays until that is done. */
  isRequest: boolean;
}

interface LiveOptions {
  onLost: (isLost: boolean) => void;
  onQr: (update: QrUpdate) => void;
  /** The changed rows, with a name if another admin changed them. */
  onRows: (rows: readonly (ChangedClaim & { by: string | undefined })[]) => void;
}

interface Hello {
  openClaims: OpenClaim[];
  timeZone?: string;
  hasUnfinishedBatch?: boolean;
  /** Made while this admin was away, and still open. */
  displayRequests?: Change[];
}

/** The first reads wait this long for the connection. If it is established later, they are repeated. */
const greetingMilliseconds = 1_000;

/** Keeps everything on the screen up to date with the changes of others, until the returned function is called. */
export function startLive(client: QueryClient, options: LiveOptions): () => void {
  const { onLost, onQr, onRows } = options;
  let isOver = false;

  const totals = createTotalsUpdates(client);
  const claims = createClaimUpdates(client, async (changed) => {
    const own = await ownName(client);
    const rows = changed.map((one) => {
      // If not, the claim was moved again since then, and the next event names that admin.
      const isLast = one.claim.version === one.change.version;
      return { ...one, by: isLast && one.change.by !== own ? one.change.by : undefined };
    });
    if (!isOver) onRows(rows);
  });

  const invalidate = (queryKey: QueryKey) => void client.invalidateQueries({ queryKey });

  const applyChange = (change: Change) => {
    const [noun] = change.verb.split('.');
    if (noun === 'claim') claims.add(change);
    else if (noun === 'qr') void applyQrChange(change);
    else if (noun === 'policy') invalidate(policyOptions.queryKey);
    else if (noun === 'client') invalidate([...clientsKey, change.subjectId]);
    else if (noun === 'batch') void applyBatchChange(change);
    else if (noun) refetchRoom(noun);
  };

  /** The room of a noun is the first part of its keys and starts with it: batches, purchases. */
  const refetchRoom = (noun: string) =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [room] }) => typeof room === 'string' && room.startsWith(noun),
    });

  /** Only the batches of this admin are shown: this one may be running in another tab. */
  const applyBatchChange = async (change: Change) => {
    const isOwn = change.by === (await ownName(client));
    if (isOver || !isOwn) return;
    setHasUnfinishedBatch(true);
    refetchRoom('batch');
  };

  const applyQrChange = async (change: Change) => {
    const id = change.subjectId;
    const isOwn = change.by === (await ownName(client));
    if (isOver) return;
    // The screen where the action was done reports it.
    if (isOwn) {
      invalidate(qrQuery.queryKey);
      onQr({ id, sentence: '', isRequest: false });
      return;
    }
    const isRequest = change.verb === displayRequested;
    const sentence = await describeQrChange(client, change);
    if (!isOver) onQr({ id, sentence, isRequest });
  };

  const reset = () => {
    void claims.reset();
    void refetchOutdated(client, {
      predicate: ({ queryKey: [noun, part] }) => noun !== 'claims' || part !== 'rows',
    });
  };

  // The connection is back: requests that failed because the server was unreachable are repeated.
  const readFailed = () =>
    client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });

  const receive = (name: string, data: unknown) => {
    if (name === 'hello') {
      void readFailed();
      liveEvents.dispatchEvent(new Event('back'));
      const {
        openClaims,
        timeZone,
        hasUnfinishedBatch = true,
        displayRequests = [],
      } = data as Hello;
      showOpenClaims(openClaims);
      if (timeZone) rememberZone(timeZone);
      setHasUnfinishedBatch(hasUnfinishedBatch);
      setFirstReadsDue(true);
      for (const request of displayRequests) void applyQrChange(request);
    }
    if (name === 'reset') reset();
    if (name === 'change') applyChange(data as Change);
    if (name === 'counts') totals.refresh();
    if (name === 'open') showOpenClaims(data as OpenClaim[]);
  };

  const stopReporting = reportOpenClaim();
  const greeting = setTimeout(() => setFirstReadsDue(true), greetingMilliseconds);
  const disconnect = openConnection({ onEvent: receive, onLost });
  return () => {
    isOver = true;
    disconnect();
    clearTimeout(greeting);
    setFirstReadsDue(false);
    setHasUnfinishedBatch(true);
    stopReporting();
    claims.stop();
    totals.stop();
  };
}
