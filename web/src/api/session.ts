import { useCallback, useSyncExternalStore } from 'react';

const tokenKey = 'token';
/** The token and the name it belongs to. A token that was stored by other means has no name here, or another one's. */
const ownerKey = 'token-owner';
/** The token and the permissions of its admin. */
const permissionsKey = 'token-permissions';
/** The path of this tab when the session ended, and whose session it was. */
const endedKey = 'session-ended-at';
/** Tells the other tabs why the token was removed: set when the session ended, not set after a logout. */
const lostKey = 'session-lost';

type Listener = () => void;
const listeners = new Set<Listener>();
const permissionListeners = new Set<Listener>();

/** Another tab may have removed the name before this one hears that the session has ended. */
let lastUsername: string | null = null;

function notifyListeners() {
  if (getToken()) lastUsername = getUsername();
  for (const listener of [...listeners, ...permissionListeners]) listener();
}

export function getToken(): string | null {
  return localStorage.getItem(tokenKey);
}

export function startSession(token: string, username?: string, permissions?: string[]) {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(lostKey);
  // Set before the token, so that other tabs can read it when they are notified.
  if (username) rememberUsername(token, username);
  if (permissions) storePermissions(token, permissions);
  localStorage.setItem(tokenKey, token);
  notifyListeners();
}

export function rememberUsername(token: string, username: string) {
  localStorage.setItem(ownerKey, `${token} ${username}`);
  lastUsername = getUsername();
}

/** The name of the signed-in admin, or null if the session was started without it. */
export function getUsername(): string | null {
  const start = `${getToken()} `;
  const owner = localStorage.getItem(ownerKey);
  return owner?.startsWith(start) ? owner.slice(start.length) : null;
}

function storePermissions(token: string, permissions: string[]) {
  localStorage.setItem(permissionsKey, [token, ...permissions].join(' '));
}

/**
 * They cannot change while the session lasts: the server ends it when the role changes.
 * To learn them is no change of the session, which would clear the cache and what is under way.
 */
export function rememberPermissions(token: string, permissions: string[]) {
  storePermissions(token, permissions);
  for (const listener of permissionListeners) listener();
}

function onPermissionsChange(listener: Listener): Listener {
  permissionListeners.add(listener);
  return () => void permissionListeners.delete(listener);
}

/** The token and its permissions, or an empty string if they are not known. */
function knownPermissions(): string {
  const known = localStorage.getItem(permissionsKey) ?? '';
  return known.startsWith(`${getToken()} `) ? known : '';
}

export const hasPermissions = () => knownPermissions() !== '';

/** Whether the admin may do this. Yes while that is not known: the server decides in any case. */
export function may(permission: string): boolean {
  const known = knownPermissions();
  return !known || known.split(' ').includes(permission);
}

/** The same function; a new one when more is known, so that components render again. */
export function usePermissions(): typeof may {
  const known = useSyncExternalStore(onPermissionsChange, knownPermissions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `may` reads what is known
  return useCallback((permission) => may(permission), [known]);
}

const missingFactorListeners = new Set<Listener>();

/** The server wants a second factor to be set up before anything else. */
export function reportMissingFactor() {
  for (const listener of missingFactorListeners) listener();
}

export function onMissingFactor(listener: Listener): () => void {
  missingFactorListeners.add(listener);
  return () => void missingFactorListeners.delete(listener);
}

export function endSession() {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(lostKey);
  forgetToken();
  notifyListeners();
}

/** The server rejected the token: remember the current path, so that login can return to it. */
export function expireSession() {
  rememberPlace();
  // Set before the token is removed, so that other tabs can read it when they are notified.
  localStorage.setItem(lostKey, 'yes');
  forgetToken();
  notifyListeners();
}

function forgetToken() {
  localStorage.removeItem(ownerKey);
  localStorage.removeItem(permissionsKey);
  localStorage.removeItem(tokenKey);
}

function rememberPlace() {
  const { pathname, search } = window.location;
  const username = getUsername() ?? lastUsername ?? '';
  sessionStorage.setItem(endedKey, `${pathname + search} ${username}`);
}

/** Whether the session has ended without a logout. */
export const hasSessionEnded = () => sessionStorage.getItem(endedKey) !== null;

/**
 * The path at which the session ended, or null if the admin logged out. Another admin gets it without the search, which
 * may contain a number that they must not see.
 */
export function whereSessionEnded(username: string | null): string | null {
  const [place = '', ...owner] = (sessionStorage.getItem(endedKey) ?? '').split(' ');
  const [path] = place.split('?');
  const isOwner = username !== null && owner.join(' ') === username;
  return (isOwner ? place : path) || null;
}

/** Handles logins and logouts in other tabs. */
window.addEventListener('storage', (event) => {
  // A null key means that the whole storage was cleared.
  if (event.key !== tokenKey && event.key !== null) return;
  if (getToken() === null) {
    const hasEnded = localStorage.getItem(lostKey) !== null;
    if (hasEnded) rememberPlace();
    else sessionStorage.removeItem(endedKey);
  }
  notifyListeners();
});

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useToken(): string | null {
  return useSyncExternalStore(onSessionChange, getToken);
}
