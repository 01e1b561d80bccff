import { randomHex } from '../../api/randomHex';
import type { Scope } from '../../entities/key/key';

export interface Line {
  name: string;
  does: string;
  curl: string;
}

/** Eight random digits, so that no made-up person, payment or account exists already. */
const eightDigits = () =>
  String(Number.parseInt(randomHex().slice(0, 12), 16) % 1e8).padStart(8, '0');

/**
 * Commands that work as they are, for what the key may do. Each row refers to the one before it, so a later command
 * is offered only if the key may run all the earlier ones.
 */
export function tryOutLines(origin: string, key: string, scopes: readonly Scope[]): Line[] {
  const digits = eightDigits();
  const id = `test-${digits}`;
  const user = { externalId: id };
  const rows: { name: string; noun: string; scope: Scope; row: object }[] = [
    {
      name: 'user',
      noun: 'users',
      scope: 'users:write',
      row: { externalId: id, username: 'Test client', mobile: `98${digits}` },
    },
    {
      name: 'purchase',
      noun: 'purchases',
      scope: 'purchases:write',
      row: {
        externalId: id,
        user,
        invest: 100,
        dailyIncome: 1,
        upiId: `4000${digits}`,
        claimType: 'Daily',
        qrName: 'Test',
      },
    },
    {
      name: 'claim',
      noun: 'claims',
      scope: 'claims:write',
      row: {
        externalId: id,
        user,
        purchase: { externalId: id },
        amount: 1,
        accountNo: `0000${digits}`,
        ifsc: 'HDFC0000001',
        address: 'Test',
      },
    },
  ];
  const refused = rows.findIndex(({ scope }) => !scopes.includes(scope));
  const allowed = refused < 0 ? rows : rows.slice(0, refused);
  const lines = allowed.map(({ name, noun, row }) => ({
    name,
    does: 'It adds a made-up user named “Test client”. Running it again adds nothing.',
    curl: curlOf(`${origin}/api/intake/${noun}`, key, row),
  }));
  if (lines.length > 0 || !scopes.includes('read')) return lines;
  const curl = curlOf(`${origin}/api/users?limit=5`, key);
  return [{ name: 'users', does: 'It reads the five newest users.', curl }];
}

/** Quoted for a POSIX shell; none of the values contains a quote. */
function curlOf(url: string, key: string, row?: object): string {
  const bearer = `-H 'Authorization: Bearer ${key}'`;
  if (!row) return `curl '${url}' ${bearer}`;
  return `curl '${url}' ${bearer} -H 'Idempotency-Key: ${randomHex()}' -H 'Content-Type: application/json' -d '${JSON.stringify(row)}'`;
}
