import { createRowWork } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';

/** In a file of its own: the layout tells these notices too, and must not load the QR screen for it. */
export const qrWork = createRowWork<Notice>();
