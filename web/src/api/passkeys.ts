import type { Schemas } from './client';

export const hasPasskeys = () => typeof PublicKeyCredential !== 'undefined';

/** The admin closed the browser's question, or the browser has no passkey for this desk. */
export class NoPasskeyError extends Error {
  constructor(cause: unknown) {
    super('No passkey was used. Try again, or choose another way.', { cause });
    this.name = 'NoPasskeyError';
  }
}

/** Lets the admin choose a passkey of this desk, which signs the challenge. */
export async function signWithPasskey(challenge: string): Promise<Schemas['PasskeyAnswer']> {
  const passkey = await askedForPasskey(() =>
    navigator.credentials.get({
      publicKey: { challenge: bytesOf(challenge), userVerification: 'required' },
    }),
  );
  const { clientDataJSON, authenticatorData, signature } =
    passkey.response as AuthenticatorAssertionResponse;
  return writtenPasskey(passkey, {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
  });
}

/** As the server expects it, with binary values as base64url. */
export const writtenPasskey = <Response>(
  { id, rawId, type }: PublicKeyCredential,
  response: Response,
) => ({ id, rawId: textOf(rawId), type, response });

export async function askedForPasskey(
  ask: () => Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  let answer: Credential | null;
  try {
    answer = await ask();
  } catch (error) {
    throw new NoPasskeyError(error);
  }
  if (!answer) throw new NoPasskeyError(null);
  return answer as PublicKeyCredential;
}

export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

export function textOf(buffer: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
