import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { endSession, startSession } from '../api/session';
import { heading, openApp, openedConfirm, rowOf } from '../testing/openApp';
import { refusal, server } from '../testing/server';

type User = ReturnType<typeof openApp>['user'];

/** A request whose response is held back until the test releases it. */
function held(method: 'put' | 'patch' | 'post', path: string, answer: () => Response) {
  let release = () => undefined as undefined;
  let answered = 0;
  const wait = new Promise<void>((resolve) => {
    release = () => void resolve() as undefined;
  });
  server.use(
    http[method](path, async () => {
      await wait;
      answered += 1;
      return answer();
    }),
  );
  return { release, answered: () => answered };
}
const heldMove = (answer: () => Response) => held('put', '*/api/claims/:id/status', answer);

async function goTo(user: User, link: string, title: string) {
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  await user.click(within(await screen.findByRole('navigation')).getByRole('link', { name: link }));
  await heading(title);
}

async function acceptAndLeave() {
  const app = openApp('/Withdraw');
  const row = await rowOf('Rahul Nair');
  const accept = row.getByRole<HTMLButtonElement>('button', { name: /^Accept/ });
  await app.user.click(accept);
  await waitFor(() => expect(accept.disabled || screen.queryByRole('alert')).toBeTruthy());
  await goTo(app.user, 'Data', 'Client Data');
  return app;
}

const refused = () => refusal(409, 'claim_cannot_move', 'Already paid.', { status: 'Paid' });

test('an error that arrives on another screen is shown there, with a link back', async () => {
  const { release } = heldMove(refused);
  const { user } = await acceptAndLeave();
  expect(screen.queryByRole('alert')).toBeNull();
  release();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The claim of Rahul Nair (₹7,967.56) was not changed.');
  await user.click(within(alert).getByRole('link', { name: 'Open All Claim Requests' }));
  await heading('All Claim Requests');
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(screen.getByText('Already paid.')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Open All Claim Requests' })).toBeNull();
});

test('an error shown on another screen can be dismissed there', async () => {
  heldMove(refused).release();
  const { user } = await acceptAndLeave();
  await screen.findByRole('alert');
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a row stays locked until its response arrives, even after leaving and returning', async () => {
  const { release } = heldMove(() => refusal(404, 'claim_not_found', 'There is no such claim.'));
  const { user } = await acceptAndLeave();
  await goTo(user, 'Withdraw', 'All Claim Requests');
  const accept = async () =>
    (await rowOf('Rahul Nair')).getByRole<HTMLButtonElement>('button', { name: /^Accept/ });
  expect((await accept()).disabled).toBe(true);
  release();
  expect(await screen.findByText('There is no such claim.')).toBeTruthy();
  await waitFor(async () => expect((await accept()).disabled).toBe(false));
});

test('an unknown outcome is shown on another screen, cannot be dismissed and can be checked there', async () => {
  const { release } = heldMove(() => HttpResponse.error());
  const { user } = await acceptAndLeave();
  server.use(
    http.get('*/api/claims/c1', () => refusal(503, 'database_unavailable', 'Away.'), {
      once: true,
    }),
  );
  release();
  const again = await screen.findByRole('button', { name: 'Check again' });
  expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
  await user.click(again);
  expect(await screen.findByText(/Checked: The server says it is Pending/)).toBeTruthy();
});

test('the outcome of a move is not shown to the next admin', async () => {
  const { release, answered } = heldMove(refused);
  await acceptAndLeave();
  act(() => endSession());
  await heading('Login');
  act(() => startSession('of another admin'));
  window.history.pushState(null, '', '/Data');
  await heading('Client Data');
  release();
  await waitFor(() => expect(answered()).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the failure of a QR action is shown on another screen', async () => {
  const { release } = held('patch', '*/api/qr/status/:id', () =>
    refusal(404, 'qr_not_found', 'It is gone.'),
  );
  const { user } = openApp('/Qr');
  const row = await rowOf('Branch two');
  await user.click(row.getByRole('button', { name: /^Display/ }));
  await user.click((await openedConfirm()).getByRole('button', { name: 'Display as well' }));
  await goTo(user, 'Data', 'Client Data');
  release();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to update status');
  expect(within(alert).getByRole('link', { name: 'Open QR Table' })).toBeTruthy();
});

test('an upload that fails on another screen is reported there, and cannot be repeated in the meantime', async () => {
  const { release } = held('post', '*/api/qr/upload', () =>
    refusal(413, 'body_too_large', 'At most 5 MB.'),
  );
  const { user } = openApp('/Qr');
  await screen.findByText('Branch two');
  await user.type(screen.getByLabelText('QR Name'), 'Till 3');
  await user.type(screen.getByLabelText('UPI ID'), 'till@okaxis');
  const image = new File(['png'], 'code.png', { type: 'image/png' });
  await user.upload(screen.getByLabelText('QR image', { selector: 'input' }), image);
  await user.click(screen.getByRole('button', { name: 'Upload' }));
  await goTo(user, 'Data', 'Client Data');
  await goTo(user, 'QR', 'QR Code Upload');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Uploading…' }).disabled).toBe(true);
  await goTo(user, 'Data', 'Client Data');
  release();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Upload failed!At most 5 MB.');
});
