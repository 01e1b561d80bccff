import { useSyncExternalStore } from 'react';

const tokenKey = 'token';
/** The token and the name it belongs to. A token that was stored by other means has no name here, or another one's. */
const ownerKey = 'token-owner';
/** The path of this tab when the session ended. */
const endedKey = 'session-ended-at';
/** Tells the other tabs why the token was removed: set when the session ended, not set after a logout. */
const lostKey = 'session-lost';

type Listener = () => void;
const listeners = new Set<Listener>();

function notifyListeners() {
  for (const listener of listeners) listener();
}

export function getToken(): string | null {
  return localStorage.getItem(tokenKey);
}

export function startSession(token: string, username?: string) {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(lostKey);
  // Set before the token, so that other tabs can read it when they are notified.
  if (username) rememberUsername(token, username);
  localStorage.setItem(tokenKey, token);
  notifyListeners();
}

export function rememberUsername(token: string, username: string) {
  localStorage.setItem(ownerKey, `${token} ${username}`);
}

/** The name of the signed-in admin, or null if the session was started without it. */
export function getUsername(): string | null {
  const start = `${getToken()} `;
  const owner = localStorage.getItem(ownerKey);
  return owner?.startsWith(start) ? owner.slice(start.length) : null;
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
  localStorage.removeItem(tokenKey);
}

function rememberPlace() {
  const { pathname, search } = window.location;
  sessionStorage.setItem(endedKey, pathname + search);
}

/** The path at which the session ended, or null if the admin logged out. */
export function whereSessionEnded(): string | null {
  return sessionStorage.getItem(endedKey);
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
