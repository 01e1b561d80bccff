import type { QrCode } from '../../../entities/qr/qr';
import type { View, ViewSchema } from '../../../ui/table/filters/view';

const fields = ['name', 'upiId', 'status'] as const;

/** The URL parameters of the QR screen. The list is short and fully loaded, so the browser itself searches it. */
export const qrView: ViewSchema = {
  filters: [],
  sorts: fields,
  // The order of the server, which no column shows.
  defaultSort: '',
  columns: ['number', 'name', 'upiId', 'image', 'status', 'action'],
  optional: ['number'],
};

export function filteredCodes(codes: readonly QrCode[], view: View): readonly QrCode[] {
  const wanted = view.q.trim().toLocaleLowerCase();
  const found = wanted
    ? codes.filter((qr) =>
        `${qr.name}\n${qr.upiId}\n${qr.number}`.toLocaleLowerCase().includes(wanted),
      )
    : codes;
  const field = fields.find((name) => name === view.sort.replace(/^-/, ''));
  if (!field) return found;
  const direction = view.sort.startsWith('-') ? -1 : 1;
  return [...found].sort((one, other) => direction * one[field].localeCompare(other[field]));
}
