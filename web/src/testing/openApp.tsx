import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createQueryClient } from '../api/queryClient';
import { rememberPermissions } from '../api/session';
import { App } from '../app/App';
import { me } from './sampleData';

interface Opening {
  token?: string | null;
  /** What the login said; null if it is not known. */
  permissions?: string[] | null;
  /** The `history.state` of the entry, which survives a reload. */
  state?: unknown;
}

let sessions = 0;

/**
 * Opens the whole app at a path, as a browser would: in the session that is stored, otherwise in a new one. A request
 * that a test has left behind is then not sent again in the next test.
 */
export function openApp(path: string, opening: Opening = {}) {
  const stored = localStorage.getItem('token') ?? `stored ${++sessions}`;
  const { token = stored, permissions = me.permissions, state = null } = opening;
  if (token) localStorage.setItem('token', token);
  if (token && permissions) rememberPermissions(token, permissions);
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

/** Clicks on a row beside its name, which links to the client. */
export async function openRow(user: UserEvent, name: string) {
  const row = (await screen.findByText(name)).closest('[role="row"]');
  if (!row) throw new Error(`“${name}” stands in no row`);
  await user.click(row);
}

/** Presses Retry until this finds something: a read that the live connection began earlier can fail after the press. */
export function retryUntil<Found>(
  user: UserEvent,
  find: () => Found,
  view: Pick<typeof screen, 'queryByRole'> = screen,
): Promise<Found> {
  return waitFor(async () => {
    const retry = view.queryByRole('button', { name: 'Retry' });
    if (retry) await user.click(retry);
    return find();
  });
}

export const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Waits until an Enter in the dialog with the focus may confirm. */
export const armed = () =>
  waitFor(() => {
    if (!document.activeElement?.closest('[data-armed]')) throw new Error('Enter is too early');
  });

/** Types an answer into a field of a dialog, and sends it by Enter. */
export async function enter(user: UserEvent, field: HTMLElement, text: string) {
  await user.type(field, text);
  await armed();
  await user.keyboard('{Enter}');
}

/** Waits until letters are shortcuts again after a dialog has closed. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 550));

/** The open confirm dialog, once its buttons are enabled. */
export async function openedConfirm() {
  const dialog = await screen.findByRole('alertdialog');
  await waitFor(() => {
    if (dialog.querySelector(':disabled')) throw new Error('The confirm does not listen yet');
  });
  return within(dialog);
}
