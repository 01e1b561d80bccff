import { createRowWork } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';

/** A waiting notice ends when its code no longer has a request. */
export type QrNotice = Notice & { isWaiting?: boolean };

/** In a separate file: the layout shows these notices too, and must not load the QR screen for them. */
export const qrWork = createRowWork<QrNotice>();
