import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import { createPasskey } from './createPasskey';

export type OwnPasskey = Schemas['OwnPasskey'];
export type OwnSession = Schemas['OwnSession'];
export type OwnAction = Schemas['AuditEntry'];
export type TotpSetup = Schemas['TotpSetup'];

export const sessionsOptions = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => dataOf<OwnSession[]>(api.GET('/api/admin/account/sessions', { signal })),
});

export const activityOptions = queryOptions({
  queryKey: ['account', 'activity'],
  queryFn: ({ signal }) => dataOf<OwnAction[]>(api.GET('/api/admin/account/activity', { signal })),
});

export const changePassword = (body: Schemas['PasswordChange']) =>
  dataOf(api.PUT('/api/admin/account/password', { body }));

export const startTotp = (password: string) =>
  dataOf<TotpSetup>(api.POST('/api/admin/account/totp', { body: { password } }));

/** Returns new recovery codes; none if the earlier ones still work. */
export const confirmTotp = (code: string) =>
  codesOf(api.POST('/api/admin/account/totp/confirm', { body: { code } }));

export const removeTotp = () => dataOf(api.DELETE('/api/admin/account/totp'));

export const makeRecoveryCodes = () => codesOf(api.POST('/api/admin/account/recovery-codes'));

/** Returns new recovery codes; none if the earlier ones still work. */
export async function addPasskey(password: string, name: string): Promise<string[]> {
  const sent = await dataOf<Schemas['PasskeyOptions']>(
    api.POST('/api/admin/account/passkeys/challenge', { body: { password } }),
  );
  const passkey = await createPasskey(sent);
  const body = { challenge: sent.challenge, name, passkey };
  return codesOf(api.POST('/api/admin/account/passkeys', { body }));
}

export const removePasskey = (id: string) =>
  dataOf(
    api.DELETE('/api/admin/account/passkeys/{passkey_id}', {
      params: { path: { passkey_id: id } },
    }),
  );

export const endOneSession = (id: string) =>
  dataOf(
    api.DELETE('/api/admin/account/sessions/{session_id}', {
      params: { path: { session_id: id } },
    }),
  );

export const endOtherSessions = () => dataOf(api.DELETE('/api/admin/account/sessions'));

async function codesOf(
  call: Parameters<typeof dataOf<Schemas['RecoveryCodes']>>[0],
): Promise<string[]> {
  return (await dataOf(call)).recoveryCodes;
}
