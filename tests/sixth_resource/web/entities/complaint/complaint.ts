import { api, dataOf, type Schemas } from '../../api/client';
import { listSource } from '../../api/pages';
import { createRowTasks } from '../../api/rowTasks';
import type { Notice } from '../../ui/notices/Notices';

export type Complaint = Schemas['Complaint'];

export const complaintList = listSource(
  'complaints',
  '/api/complaints/all',
  '/api/complaints/totals',
);

export const complaintTasks = createRowTasks<Notice>();

export const answerComplaint = (id: string) =>
  dataOf(
    api.POST('/api/complaints/{complaint_id}/answer', { params: { path: { complaint_id: id } } }),
  );
