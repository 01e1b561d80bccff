import { createRowWork } from '../../api/rowWork';
import type { Notice } from '../../ui/Notices';

/** In a separate file: the layout shows these notices too, and must not load the claims screen for them. */
export const claimWork = createRowWork<Notice>();
