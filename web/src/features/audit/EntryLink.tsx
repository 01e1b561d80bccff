import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../entities/audit/audit';
import { readClaim } from '../../entities/claim/claim';
import { purchaseDetailsOptions } from '../../entities/purchase/purchase';
import { qrQuery } from '../../entities/qr/qr';
import { Link } from '../../ui/page/address';
import {
  addressOfClient,
  claimsPath,
  keysPath,
  purchasesPath,
  qrPath,
  settingsPath,
  webhooksPath,
} from '../../ui/page/paths';
import styles from './EntryLink.module.css';

interface Target {
  href: string;
  label: string;
}

/** A link from a row of the log to exactly what it is about. */
export function EntryLink({ entry: { verb, subjectId } }: { entry: AuditEntry }) {
  const noun = verb.split('.')[0] ?? '';
  // The log names the id of a record; its URL, the number.
  const claim = useQuery({
    queryKey: ['audit', 'claim', subjectId],
    queryFn: async () => (await readClaim(subjectId)) ?? null,
    enabled: noun === 'claim',
  }).data;
  const details = useQuery({ ...purchaseDetailsOptions(subjectId), enabled: noun === 'purchase' });
  const codes = useQuery({ ...qrQuery, enabled: noun === 'qr' }).data;
  const code = codes?.find(({ _id }) => _id === subjectId);
  const numbers: Readonly<Record<string, string | undefined>> = {
    claim: claim?.number,
    purchase: details.data?.purchase.number,
    qr: code?.number,
  };
  const target = targetOf(noun, subjectId, numbers[noun]);
  if (!target) return null;
  return (
    <Link href={target.href} className={styles.link}>
      {target.label}
    </Link>
  );
}

function targetOf(noun: string, id: string, number: string | undefined): Target | undefined {
  switch (noun) {
    case 'claim':
      return number
        ? { href: `${claimsPath}/${number}`, label: `Open claim ${number}` }
        : undefined;
    case 'purchase':
      return number
        ? { href: `${purchasesPath}/${number}`, label: `Open purchase ${number}` }
        : undefined;
    case 'qr':
      // A deleted code has no row.
      return number
        ? { href: `${qrPath}/${number}`, label: `Open QR code ${number}` }
        : { href: qrPath, label: 'Open QR codes' };
    case 'client':
    case 'user':
      return { href: addressOfClient(id), label: 'Open client' };
    case 'policy':
      return { href: settingsPath, label: 'Open policy' };
    case 'key':
      return { href: keysPath, label: 'Open keys' };
    case 'webhook':
      return { href: webhooksPath, label: 'Open webhooks' };
    default:
      return undefined;
  }
}
