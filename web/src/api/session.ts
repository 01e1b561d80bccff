import { useSyncExternalStore } from 'react';

const tokenKey = 'token';
const endedKey = 'session-ended-at';

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
  localStorage.setItem(tokenKey, token);
  tellEveryone();
}

export function leaveSession() {
  sessionStorage.removeItem(endedKey);
  localStorage.removeItem(tokenKey);
  tellEveryone();
}

/** The server no longer knows the token: remember where the admin was, so that login can lead back. */
export function loseSession() {
  const { pathname, search } = window.location;
  sessionStorage.setItem(endedKey, pathname + search);
  localStorage.removeItem(tokenKey);
  tellEveryone();
}

/** Where the admin was when the session ended, or null if it did not end by itself. */
export function whereSessionEnded(): string | null {
  return sessionStorage.getItem(endedKey);
}

/** Also hears of logins and logouts in other tabs. */
export function onSessionChange(listener: Listener): () => void {
  const onStorage = (event: StorageEvent) => {
    // A null key means that the whole storage was cleared.
    if (event.key === tokenKey || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export function useToken(): string | null {
  return useSyncExternalStore(onSessionChange, getToken);
}
