import { Page } from '../../ui/Page';
import { QrTable } from './QrTable';
import { QrUploadForm } from './QrUploadForm';

export default function QrScreen({ title }: { title: string }) {
  return (
    <Page title={title} scroll="document">
      <QrUploadForm />
      <QrTable />
    </Page>
  );
}
