import { api, dataOf, type Schemas } from '../../api/client';
import type { Role } from '../../entities/admin/admin';

export type Invitation = Schemas['Invitation'];

const at = (admin_id: string) => ({ params: { path: { admin_id } } });

export const inviteAdmin = (username: string, role: Role) =>
  dataOf<Invitation>(api.POST('/api/admins', { body: { username, role } }));

export const withdrawInvitation = (username: string) =>
  dataOf(api.DELETE('/api/admins/invitations/{username}', { params: { path: { username } } }));

export const resetAdmin = (id: string) =>
  dataOf<Invitation>(api.POST('/api/admins/{admin_id}/reset', at(id)));

export const changeRole = (id: string, role: Role) =>
  dataOf(api.PUT('/api/admins/{admin_id}/role', { ...at(id), body: { role } }));

export const disableAdmin = (id: string) =>
  dataOf(api.POST('/api/admins/{admin_id}/disable', at(id)));

export const enableAdmin = (id: string) =>
  dataOf(api.POST('/api/admins/{admin_id}/enable', at(id)));

export const resetFactors = (id: string) =>
  dataOf(api.POST('/api/admins/{admin_id}/reset-factors', at(id)));
