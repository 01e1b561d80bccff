import { useMay } from '../../ui/may';
import { Page } from '../../ui/page/Page';
import { QrUploadForm } from './form/QrUploadForm';
import { QrTable } from './table/QrTable';

export default function QrScreen({ title }: { title: string }) {
  const may = useMay();
  return (
    <Page title={title} scroll="document">
      {may('qr.upload') && <QrUploadForm />}
      <QrTable />
    </Page>
  );
}
