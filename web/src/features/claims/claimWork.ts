import { createRowWork } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';

/** In a file of its own: the layout tells these notices too, and must not load the claims screen for it. */
export const claimWork = createRowWork<Notice>();
