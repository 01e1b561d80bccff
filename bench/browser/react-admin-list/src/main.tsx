import ReceiptLong from '@mui/icons-material/ReceiptLong';
import { createRoot } from 'react-dom/client';
import { Admin, Resource } from 'react-admin';
import { authProvider } from './authProvider';
import { ClaimList, EndlessClaimList } from './ClaimList';
import { dataProvider } from './dataProvider';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <Admin dataProvider={dataProvider} authProvider={authProvider} requireAuth disableTelemetry>
    <Resource name="claims" list={ClaimList} icon={ReceiptLong} />
    <Resource name="endless" list={EndlessClaimList} icon={ReceiptLong} />
  </Admin>,
);
