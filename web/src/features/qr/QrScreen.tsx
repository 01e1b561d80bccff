import { Page } from '../../ui/Page';
import { QrTable } from './QrTable';
import { QrUploadForm } from './QrUploadForm';

export default function QrScreen() {
  return (
    <Page title="QR Code Upload" scroll="document">
      <QrUploadForm />
      <QrTable />
    </Page>
  );
}
