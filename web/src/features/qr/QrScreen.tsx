import { Page } from '../../ui/page/Page';
import { QrUploadForm } from './form/QrUploadForm';
import { QrTable } from './table/QrTable';

export default function QrScreen({ title }: { title: string }) {
  return (
    <Page title={title} scroll="document">
      <QrUploadForm />
      <QrTable />
    </Page>
  );
}
