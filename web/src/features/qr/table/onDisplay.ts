import type { QrCode } from '../../../entities/qr/qr';

/* What customers see, in sentences. */

const mostNamed = 5;

export const isOnDisplay = (code: QrCode) => code.status === 'display';

/** The address that a scan pays. */
export const payeeOf = ({ reading, upiId }: QrCode) => reading.payee ?? upiId;

export const named = (qr: QrCode) => `${qr.name} (${payeeOf(qr)})`;

const listOf = (parts: readonly string[]) => {
  const rest = parts.length - mostNamed;
  return new Intl.ListFormat('en-GB').format(
    rest > 0 ? [...parts.slice(0, mostNamed), `${rest} more`] : parts,
  );
};

/** `shown` is everything on display afterwards. */
export function sayDisplayed(qr: QrCode, replaced: QrCode | null, shown: readonly QrCode[]) {
  const others = shown.filter(({ _id }) => _id !== qr._id);
  // Another admin has already hidden or replaced it.
  if (others.length === shown.length) return `Customers now see ${sayShown(shown)}.`;
  const also = others.length > 0 ? ` They also see ${sayShown(others)}.` : '';
  if (replaced && !others.some(({ _id }) => _id === replaced._id))
    return `Customers now pay ${named(qr)} instead of ${named(replaced)}.${also}`;
  if (!also) return `Customers now see only ${named(qr)}.`;
  return `Customers now see ${sayShown([qr, ...others])}.`;
}

export const sayHidden = (qr: QrCode, shown: readonly QrCode[]) =>
  shown.some(({ _id }) => _id === qr._id)
    ? `Customers now see ${sayShown(shown)}.`
    : `Customers no longer see ${named(qr)}. They now see ${sayShown(shown)}.`;

const sayShown = (shown: readonly QrCode[]) =>
  shown.length > 0 ? listOf(shown.map(named)) : 'no code, and cannot pay';

/** What went on or off display between two moments; empty if nothing did. */
export function sayChange(before: readonly QrCode[], after: readonly QrCode[]) {
  const missingIn = (codes: readonly QrCode[]) => (code: QrCode) =>
    !codes.some(({ _id }) => _id === code._id);
  return listOf([
    ...after.filter(missingIn(before)).map(({ name }) => `${name} went on display`),
    ...before.filter(missingIn(after)).map(({ name }) => `${name} went off display`),
  ]);
}
