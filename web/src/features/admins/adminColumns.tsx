import { type AdminRow, roleNames } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { MoreIcon } from '../../ui/icons/icons';
import type { ShortColumn } from '../../ui/table/ShortList';
import { formatDay, formatMoment } from '../../ui/text/dates';
import { StatusLabel } from '../../ui/text/StatusLabel';

const toneOf = { active: 'done', invited: 'waiting', disabled: 'off' } as const;

export const adminColumns = (
  onMore: (admin: AdminRow, anchor: HTMLElement) => void,
): ShortColumn<AdminRow>[] => [
  { header: 'Name', cell: ({ username }) => <span className="wrap">{username}</span> },
  { header: 'Role', cell: ({ role }) => roleNames[role] },
  {
    header: 'State',
    cell: ({ state }) => <StatusLabel tone={toneOf[state]}>{state}</StatusLabel>,
  },
  { header: 'Since', cell: ({ since }) => formatDay(since) },
  {
    header: 'Last use',
    cell: ({ lastSeenAt }) =>
      lastSeenAt ? formatMoment(lastSeenAt) : <span className="quiet">Never</span>,
  },
  {
    header: 'Actions',
    isAction: true,
    cell: (admin) => (
      <Button
        needs="admins.manage"
        look="icon"
        size="row"
        aria-haspopup="menu"
        aria-label={`More for ${admin.username}`}
        onClick={({ currentTarget }) => onMore(admin, currentTarget)}
      >
        <MoreIcon />
      </Button>
    ),
  },
];
