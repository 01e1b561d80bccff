import type { View, ViewSchema } from '../../ui/table/view';
import type { QrCode } from './qrQuery';

const fields = ['name', 'upiId', 'status'] as const;

/** What the address of the QR codes may say. The list is short and all there: the browser itself looks through it. */
export const qrView: ViewSchema = {
  filters: [],
  sorts: fields,
  // The server's own order, which no column shows.
  defaultSort: '',
  columns: ['name', 'upiId', 'image', 'status', 'action'],
};

export function viewedCodes(codes: readonly QrCode[], view: View): readonly QrCode[] {
  const wanted = view.q.trim().toLocaleLowerCase();
  const found = wanted
    ? codes.filter((qr) => `${qr.name}\n${qr.upiId}`.toLocaleLowerCase().includes(wanted))
    : codes;
  const field = fields.find((name) => name === view.sort.replace(/^-/, ''));
  if (!field) return found;
  const direction = view.sort.startsWith('-') ? -1 : 1;
  return [...found].sort((one, other) => direction * one[field].localeCompare(other[field]));
}
