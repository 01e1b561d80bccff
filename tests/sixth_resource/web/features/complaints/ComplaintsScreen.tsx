import { useCountedList } from '../../api/pagedList';
import { useNotices } from '../../api/rowTasks';
import { complaintList, complaintTasks } from '../../entities/complaint/complaint';
import { Notices } from '../../ui/notices/Notices';
import { Page } from '../../ui/page/Page';
import { useView } from '../../ui/table/filters/useView';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import { complaintCard, complaintColumns } from './complaintColumns';
import { complaintView } from './complaintView';

export default function ComplaintsScreen({ title }: { title: string }) {
  const control = useView(complaintView);
  const { list, totals, counting } = useCountedList(complaintList, control.query);
  const matches = { counted: totals, ...counting };
  return (
    <Page title={title} summary={<Summary noun="complaint" {...matches} />}>
      <Notices notices={useNotices(complaintTasks)} onDismiss={complaintTasks.dismiss} />
      <DataTable
        label={title}
        noun="complaint"
        columns={complaintColumns}
        card={complaintCard}
        list={list}
        control={control}
        toolbar={{
          screen: 'complaints',
          searchHint: 'Search subject',
          exports: 'complaints',
        }}
        matches={matches}
        empty={<p>Nobody has complained yet.</p>}
      />
    </Page>
  );
}
