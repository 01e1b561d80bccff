import type { Schemas } from '../../../api/client';
import { askedForPasskey, bytesOf, textOf, writtenPasskey } from '../../../api/passkeys';

/** The server's options, with binary values as base64url. */
interface CreationOptions
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials: { id: string; type: 'public-key' }[];
}

export async function createPasskey(
  sent: Schemas['PasskeyOptions'],
): Promise<Schemas['NewPasskeyAnswer']> {
  const options = sent.options as unknown as CreationOptions;
  const passkey = await askedForPasskey(() =>
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        user: { ...options.user, id: bytesOf(options.user.id) },
        excludeCredentials: options.excludeCredentials.map((known) => ({
          ...known,
          id: bytesOf(known.id),
        })),
      },
    }),
  );
  const { clientDataJSON, attestationObject } =
    passkey.response as AuthenticatorAttestationResponse;
  return writtenPasskey(passkey, {
    clientDataJSON: textOf(clientDataJSON),
    attestationObject: textOf(attestationObject),
  });
}
