import type { AuditEntry } from '../../entities/audit/audit';
import type { CardLayout, Column } from '../../ui/table/columns/columns';
import { formatMoment } from '../../ui/text/dates';
import { changeWords } from './auditWords';

export const auditColumns: Column<AuditEntry>[] = [
  {
    key: 'date',
    header: 'Date',
    width: '180px',
    look: 'figures',
    text: ({ createdAt }) => formatMoment(createdAt),
    sort: 'createdAt',
  },
  {
    key: 'who',
    header: 'Who',
    width: 'minmax(100px, 180px)',
    look: 'strong',
    text: ({ actor }) => actor,
    opens: true,
  },
  {
    key: 'what',
    header: 'What',
    width: 'minmax(160px, 260px)',
    text: ({ label }) => label,
    panel: {},
  },
  {
    key: 'change',
    header: 'Change',
    width: 'minmax(200px, 1fr)',
    text: (entry) => changeWords(entry).join(' · '),
  },
  {
    key: 'record',
    header: 'Record',
    width: '220px',
    from: 1100,
    look: 'quiet',
    text: ({ number, subjectId }) => number ?? subjectId,
    panel: { copy: true },
  },
  {
    key: 'address',
    header: 'From',
    width: '140px',
    from: 960,
    look: 'quiet',
    text: ({ address }) => address ?? '',
  },
];

export const auditCard: CardLayout = {
  height: 108,
  columns: 'minmax(0, 1fr) auto',
  areas: '"who date" "what what" "change change" "record address"',
  atEnd: ['date', 'address'],
};
