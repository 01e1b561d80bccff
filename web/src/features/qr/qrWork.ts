import { createRowWork } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';

/** One that waits is over when its code no longer has a request. */
export type QrNotice = Notice & { isWaiting?: boolean };

/** In a file of its own: the layout tells these notices too, and must not load the QR screen for it. */
export const qrWork = createRowWork<QrNotice>();
