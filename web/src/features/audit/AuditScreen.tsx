import { useQuery } from '@tanstack/react-query';
import { useFirstReadsDue } from '../../api/live';
import { useCountedList } from '../../api/pagedList';
import { auditChoices, auditList, sealingOptions } from '../../entities/audit/audit';
import { Page } from '../../ui/page/Page';
import { useView } from '../../ui/table/filters/useView';
import { DataTable } from '../../ui/table/frame/DataTable';
import { Summary } from '../../ui/table/frame/Summary';
import { auditCard, auditColumns } from './auditColumns';
import { auditView } from './auditView';
import { nounWords, sealingWords } from './auditWords';
import { DayTabs } from './DayTabs';
import { EntryLink } from './EntryLink';

/** Who did what, when and from where. */
export default function AuditScreen({ title }: { title: string }) {
  const control = useView(auditView);
  const { list, totals, counting } = useCountedList(auditList, control.rowsQuery);
  const isDue = useFirstReadsDue() && list.count !== undefined;
  const choices = useQuery({ ...auditChoices, enabled: isDue }).data;
  const sealing = useQuery({ ...sealingOptions, enabled: isDue }).data;
  return (
    <Page
      title={title}
      summary={
        <Summary
          noun="row"
          counted={totals}
          {...counting}
          {...(sealing && { waiting: sealingWords(sealing) })}
        />
      }
    >
      <DataTable
        label={title}
        noun="row"
        columns={auditColumns}
        card={auditCard}
        list={list}
        control={control}
        toolbar={{
          screen: 'audit',
          searchHint: 'Number or ID of a claim, purchase, QR code or client',
          tabs: <DayTabs control={control} />,
          choices: choices && { who: choices.actor, of: choices.noun, what: choices.verb },
          texts: { of: nounWords, what: (verb) => choices?.labels[verb] ?? verb },
          exports: 'audit',
        }}
        panel={(entry) => <EntryLink entry={entry} />}
        empty={<p>Nothing has been done yet. Every change appears here.</p>}
      />
    </Page>
  );
}
