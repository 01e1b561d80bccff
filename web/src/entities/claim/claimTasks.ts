import { createRowTasks } from '../../api/rowTasks';
import type { Notice } from '../../ui/notices/Notices';

/** The moves in progress. In a separate file: the layout shows their notices too, without loading the claims screen. */
export const claimTasks = createRowTasks<Notice>();
