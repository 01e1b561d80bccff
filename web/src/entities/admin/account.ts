import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { signWithPasskey } from '../../api/passkeys';

export type Account = Schemas['Account'];

export const accountOptions = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => dataOf<Account>(api.GET('/api/admin/account', { signal })),
});

type Subject = Schemas['StepUpSubject'];

export const confirmWithCode = ({ action, subject }: Subject, code: string) =>
  dataOf(api.POST('/api/admin/step-up', { body: { action, subject, code } }));

export async function confirmWithPasskey({ action, subject }: Subject) {
  const body = { action, subject };
  const { challenge } = await dataOf<Schemas['ChallengeAnswer']>(
    api.POST('/api/admin/step-up/challenge', { body }),
  );
  const passkey = await signWithPasskey(challenge);
  await dataOf(api.POST('/api/admin/step-up', { body: { ...body, challenge, passkey } }));
}
