import { useSyncExternalStore } from 'react';

const tokenKey = 'token';
/** Where this tab was when the session ended. */
const endedKey = 'session-ended-at';
/** Tells the other tabs why the token went: it is there when the session ended, not after a logout. */
const lostKey = 'session-lost';

type Listener = () => void;
const listeners = new Set<Listener>();

function tellEveryone() {
  for (const listener of listeners) listener();
}

export function getToken(): string | null {
  return localStorage.getItem(tokenKey);
}

export function startSession(token: string) {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(lostKey);
  localStorage.setItem(tokenKey, token);
  tellEveryone();
}

export function leaveSession() {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(lostKey);
  localStorage.removeItem(tokenKey);
  tellEveryone();
}

/** The server no longer knows the token: remember where the admin was, so that login can lead back. */
export function loseSession() {
  rememberPlace();
  // Before the token, so that it is there when the other tabs hear of the token.
  localStorage.setItem(lostKey, 'yes');
  localStorage.removeItem(tokenKey);
  tellEveryone();
}

function rememberPlace() {
  const { pathname, search } = window.location;
  sessionStorage.setItem(endedKey, pathname + search);
}

/** Where the admin was when the session ended, or null if it did not end by itself. */
export function whereSessionEnded(): string | null {
  return sessionStorage.getItem(endedKey);
}

/** Logins and logouts in other tabs. */
window.addEventListener('storage', (event) => {
  // A null key means that the whole storage was cleared.
  if (event.key !== tokenKey && event.key !== null) return;
  if (getToken() === null) {
    const hasEnded = localStorage.getItem(lostKey) !== null;
    if (hasEnded) rememberPlace();
    else sessionStorage.removeItem(endedKey);
  }
  tellEveryone();
});

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useToken(): string | null {
  return useSyncExternalStore(onSessionChange, getToken);
}
