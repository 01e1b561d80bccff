import '../ui/tokens.css';
import '../ui/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from '../api/queryClient';
import { Desk } from './Desk';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <Desk queryClient={createQueryClient()} />
  </StrictMode>,
);
