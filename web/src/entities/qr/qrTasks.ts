import { createRowTasks } from '../../api/rowTasks';
import type { Notice } from '../../ui/notices/Notices';

/** A waiting notice ends when its code no longer has a request. */
export type QrNotice = Notice & { isWaiting?: boolean };

/** The changes in progress. In a separate file: the layout shows their notices too, without loading the QR screen. */
export const qrTasks = createRowTasks<QrNotice>();
