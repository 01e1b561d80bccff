import { api, dataOf, type Schemas } from '../../api/client';
import { getToken } from '../../api/session';

export function logIn(username: string, password: string) {
  return dataOf<Schemas['LoginAnswer']>(
    api.POST('/api/admin/login', { body: { username, password } }),
  );
}

/** Best effort: the browser drops the token even when the server cannot be reached. */
export function revokeSession() {
  const token = getToken();
  if (!token) return;
  const headers = { Authorization: `Bearer ${token}` };
  void api.POST('/api/admin/logout', { headers, keepalive: true }).catch(() => undefined);
}
