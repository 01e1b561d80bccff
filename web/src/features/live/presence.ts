import { api } from '../../api/client';
import { getOpenHere, onLiveChange, setOpenElsewhere } from '../../api/live';
import { randomHex } from '../../api/randomHex';
import { getToken } from '../../api/session';

export interface OpenClaim {
  claimId: string;
  by: string;
}

/** The server forgets an open claim after twenty-five seconds. */
const renewMilliseconds = 10_000;
/** An admin who steps quickly through the claims does not report each of them. */
const settleMilliseconds = 200;
const tabKey = 'live-tab';

/** Reports to the server which claim this tab has open, until the returned function is called. */
export function reportOpenClaim(): () => void {
  const tab = takeTab();
  let reported: string | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;

  const report = (claimId: string | null) => {
    reported = claimId;
    // After a logout the server removes the entry without a request.
    if (!getToken()) return;
    // Errors are ignored: this is a keep-alive, and the next one follows soon.
    void api
      .PUT('/api/live/open', { body: { tab, claimId }, keepalive: claimId === null })
      .catch(() => undefined);
  };
  const follow = () => {
    clearTimeout(settling);
    settling = setTimeout(
      () => getOpenHere() !== reported && report(getOpenHere()),
      settleMilliseconds,
    );
  };
  const close = () => {
    if (reported !== null) report(null);
  };
  const leave = () => {
    close();
    sessionStorage.setItem(tabKey, tab);
  };
  const comeBack = () => {
    sessionStorage.removeItem(tabKey);
    follow();
  };

  const keepAlive = setInterval(() => reported !== null && report(reported), renewMilliseconds);
  const unsubscribe = onLiveChange(follow);
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', comeBack);
  follow();

  return () => {
    clearTimeout(settling);
    clearInterval(keepAlive);
    unsubscribe();
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', comeBack);
    leave();
    setOpenElsewhere(new Map());
  };
}

/**
 * The tab keeps its id across a reload. While the tab is in use, the id is not in storage: a browser that duplicates
 * the tab copies its storage, and two tabs with the same id would overwrite each other's reports.
 */
function takeTab(): string {
  const kept = sessionStorage.getItem(tabKey);
  sessionStorage.removeItem(tabKey);
  return kept ?? randomHex();
}

export function showOpenClaims(open: readonly OpenClaim[]) {
  const names = new Map<string, string>();
  for (const { claimId, by } of open) {
    const others = names.get(claimId);
    names.set(claimId, others ? `${others}, ${by}` : by);
  }
  setOpenElsewhere(names);
}
