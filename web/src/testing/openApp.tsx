import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createQueryClient } from '../api/queryClient';
import { App } from '../app/App';

interface Opening {
  token?: string | null;
  /** The `history.state` of the entry, which survives a reload. */
  state?: unknown;
}

/** Opens the whole app at a path, as a browser would, with a stored token by default. */
export function openApp(path: string, { token = 'stored', state = null }: Opening = {}) {
  if (token) localStorage.setItem('token', token);
  window.history.replaceState(state, '', path);
  const queryClient = createQueryClient();
  const app = render(<App queryClient={queryClient} />);
  return { user: userEvent.setup(), queryClient, ...app };
}

/** The table row that contains a text. */
export async function rowOf(text: string) {
  const cell = await screen.findByText(text);
  const row = cell.closest<HTMLElement>('[role="row"]');
  if (!row) throw new Error(`“${text}” stands in no row`);
  return within(row);
}

export const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** The open confirm dialog, once its buttons are enabled. */
export async function openedConfirm() {
  const dialog = await screen.findByRole('alertdialog');
  await waitFor(() => {
    if (dialog.querySelector(':disabled')) throw new Error('The confirm does not listen yet');
  });
  return within(dialog);
}
