import { useList } from '../../../api/pagedList';
import { ShortList } from '../../../ui/table/ShortList';
import { formatMoment } from '../../../ui/text/dates';
import { activityOptions, type OwnAction } from './accountActions';

/** What the admin did last. Before and after are on the screen of the audit log. */
export function OwnActivity() {
  const list = useList(activityOptions);
  return (
    <section aria-label="Recent activity">
      <ShortList
        nouns="recent actions"
        list={list}
        intro="Your recent activity. If something was not you, end your other sessions and change your password."
        beginning=""
        add={null}
        columns={[
          { header: 'What', cell: (action) => <p className="wrap">{wordsOf(action)}</p> },
          {
            header: 'Record',
            cell: ({ subjectId }) => <span className="figures wrap quiet">{subjectId}</span>,
          },
          {
            header: 'When',
            cell: ({ createdAt }) => <span className="figures">{formatMoment(createdAt)}</span>,
          },
          {
            header: 'From',
            cell: ({ address }) => <span className="figures">{address ?? 'Unknown'}</span>,
          },
        ]}
      />
    </section>
  );
}

/** E.g. `Moved a claim: Accepted`. */
function wordsOf({ label, after }: OwnAction) {
  const status = after?.status;
  return label + (status ? `: ${status}` : '');
}
