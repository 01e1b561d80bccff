import { api } from '../../api/client';
import { endSession, getToken } from '../../api/session';

export function logOut() {
  // Best effort: the browser drops the token even when the server cannot be reached.
  const headers = { Authorization: `Bearer ${getToken()}` };
  void api.POST('/api/admin/logout', { headers, keepalive: true }).catch(() => undefined);
  endSession();
}
