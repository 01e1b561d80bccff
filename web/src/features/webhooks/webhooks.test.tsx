import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Delivery, Endpoint } from '../../entities/webhook/webhook';
import { heading, openApp, openedConfirm } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';
import { conditionOf } from './webhookTexts';

const at = '2026-09-21T10:12:00Z';
const shop: Endpoint = {
  _id: 'w1',
  createdAt: at,
  url: 'https://shop.example.in/hooks',
  events: ['claim.paid', 'claim.returned'],
  isEnabled: true,
  disabledAt: null,
  disabledWhy: null,
  failingSince: null,
  pausedUntil: null,
  previousSecretUntil: null,
  waiting: 0,
  lastDelivery: { at, type: 'claim.paid', state: 'delivered', status: 204 },
};
const failing: Endpoint = { ...shop, failingSince: at, waiting: 3 };
const secret = `whsec_${'a'.repeat(43)}=`;
const delivery: Delivery = {
  _id: 'd1',
  createdAt: at,
  endpoint: 'w1',
  eventId: 'msg_1',
  type: 'claim.paid',
  subject: 'c1',
  body: '{}',
  state: 'failed',
  attempts: 10,
  dueAt: null,
  lastAttemptAt: at,
  lastStatus: 503,
  lastExcerpt: 'Service Unavailable',
  lastError: null,
};

/** Records every change as `METHOD path` and its body. */
function serverHas(...endpoints: Endpoint[]) {
  const calls: [string, unknown][] = [];
  const taken =
    (answer: () => Response) =>
    async ({ request }: { request: Request }) => {
      const text = await request.text();
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace('/api/webhooks', '') + search;
      calls.push([`${request.method} ${path}`, text && JSON.parse(text)]);
      return answer();
    };
  const made = () => HttpResponse.json({ endpoint: shop, secret }, { status: 201 });
  server.use(
    http.get('*/api/webhooks', () => HttpResponse.json(endpoints)),
    http.post('*/api/webhooks', taken(made)),
    http.put(
      '*/api/webhooks/:id',
      taken(() => HttpResponse.json(shop)),
    ),
    http.delete(
      '*/api/webhooks/:id',
      taken(() => new HttpResponse(null, { status: 204 })),
    ),
    http.post('*/api/webhooks/:id/secret', taken(made)),
    http.post(
      '*/api/webhooks/:id/test',
      taken(() => HttpResponse.json(delivery)),
    ),
    http.post(
      '*/api/webhooks/:id/resend',
      taken(() => HttpResponse.json({ resent: 12 })),
    ),
    http.post(
      '*/api/webhooks/deliveries/:id/resend',
      taken(() => HttpResponse.json(delivery)),
    ),
  );
  return calls;
}

function serverLogs(...deliveries: Delivery[]) {
  const asked: string[] = [];
  server.use(
    http.get('*/api/webhooks/deliveries', ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.toString());
      const next = '</api/webhooks/deliveries?cursor=older>; rel="next"';
      return searchParams.has('cursor')
        ? HttpResponse.json([{ ...delivery, _id: 'd0', type: 'qr.hidden', subject: 'q1' }])
        : HttpResponse.json(deliveries, { headers: { Link: next } });
    }),
  );
  return asked;
}

async function openWebhooks() {
  const opened = openApp('/Settings/Webhooks');
  await heading('Webhooks');
  return opened;
}

async function choose(item: string) {
  const opened = await openWebhooks();
  await opened.user.click(await screen.findByRole('button', { name: `More for ${shop.url}` }));
  await opened.user.click(await screen.findByRole('menuitem', { name: item }));
  return opened;
}

async function openLog() {
  const opened = await openWebhooks();
  await opened.user.click(await screen.findByRole('button', { name: `Deliveries to ${shop.url}` }));
  return { ...opened, panel: within(await screen.findByRole('dialog', { name: 'Deliveries' })) };
}

test('an endpoint is listed with its events, state and last delivery', async () => {
  serverHas(shop);
  await openWebhooks();
  const [, row] = await screen.findAllByRole('row');
  expect(row?.textContent).toContain(shop.url);
  expect(row?.textContent).toContain('claim.paid, claim.returned');
  expect(row?.textContent).toContain('Enabled');
  expect(row?.textContent).toContain('claim.paid, delivered');
});

test('Escape in the menu of a webhook returns the focus to its button', async () => {
  serverHas(shop);
  const { user } = await openWebhooks();
  const more = await screen.findByRole('button', { name: `More for ${shop.url}` });
  await user.click(more);
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(more);
});

test('the state says why nothing is delivered', () => {
  expect(conditionOf(failing)).toMatchObject({ word: 'Failing' });
  expect(conditionOf(failing).notes.join(' ')).toContain('3 events waiting.');
  const gone = { ...failing, isEnabled: false, disabledAt: at, disabledWhy: 'It answered 410.' };
  expect(conditionOf(gone)).toMatchObject({ word: 'Disabled', tone: 'back' });
  expect(conditionOf(gone).notes).toContain('It answered 410.');
  const paused = { ...shop, pausedUntil: '2026-09-21T11:00:00Z' };
  expect(conditionOf(paused, Date.parse(at)).word).toBe('Paused');
  expect(conditionOf(paused, Date.parse('2026-09-21T12:00:00Z')).word).toBe('Enabled');
});

test('a failing webhook shows on every screen, in the menu and in the tabs', async () => {
  serverHas(failing);
  const { user } = openApp('/Settings');
  await heading('Settings');
  // It is read ten seconds after the rest.
  const menu = await screen.findByRole(
    'button',
    { name: 'Menu. A webhook is failing.' },
    { timeout: 20_000 },
  );
  const pages = within(screen.getByRole('navigation', { name: 'Pages' }));
  expect(pages.getByRole('link', { name: 'Webhooks A webhook is failing.' })).toBeTruthy();
  await user.click(menu);
  const screens = within(await screen.findByRole('navigation', { name: 'Screens' }));
  expect(screens.getByRole('link', { name: 'Settings A webhook is failing.' })).toBeTruthy();
});

test('adding one shows its secret once', async () => {
  const calls = serverHas();
  const { user } = await openWebhooks();
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.type(dialog.getByLabelText('Address'), shop.url);
  // All events are chosen at first, except the one that comes every minute.
  expect(dialog.getAllByRole('checkbox', { checked: true })).toHaveLength(10);
  const checkpoints = dialog.getByRole('checkbox', { name: /^audit.checkpoint/ });
  expect((checkpoints as HTMLInputElement).checked).toBe(false);
  await user.click(dialog.getByRole('checkbox', { name: /^qr.hidden/ }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  const made = within(await screen.findByRole('dialog', { name: 'The secret of this webhook' }));
  expect(made.getByText(secret)).toBeTruthy();
  const [[call, body] = []] = calls;
  expect(call).toBe('POST ');
  expect(body).toMatchObject({ url: shop.url });
  expect((body as Endpoint).events).not.toContain('qr.hidden');
  await user.click(made.getByRole('button', { name: 'Done' }));
  expect(document.body.textContent).not.toContain(secret);
});

test('an address that the server refuses is explained at its field', async () => {
  serverHas();
  const sentence = 'url leads to 10.0.0.1, which is not on the internet.';
  server.use(http.post('*/api/webhooks', () => refusal(422, 'invalid', 'x', { url: sentence })));
  const { user } = await openWebhooks();
  await user.click(await screen.findByRole('button', { name: 'New webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(dialog.getByRole('alert').textContent).toBe('Enter the address of your receiver.');
  await user.type(dialog.getByLabelText('Address'), 'http://10.0.0.1/');
  await user.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText(sentence)).toBeTruthy();
});

test('one can be changed', async () => {
  const calls = serverHas(shop);
  const { user } = await choose('Change…');
  const dialog = within(await screen.findByRole('dialog', { name: 'Change webhook' }));
  await user.type(dialog.getByLabelText('Address'), '/2');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { events } = shop;
  expect(calls).toEqual([['PUT /w1', { url: `${shop.url}/2`, events, isEnabled: true }]]);
});

test.each([
  ['Disable…', 'Disable', 'PUT /w1'],
  ['Remove…', 'Remove', 'DELETE /w1'],
])('%s asks first', async (item, label, call) => {
  const calls = serverHas(shop);
  const { user } = await choose(item);
  const confirm = await openedConfirm();
  expect(calls).toEqual([]);
  await user.click(confirm.getByRole('button', { name: label }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(calls.map(([made]) => made)).toEqual([call]);
});

test('a new secret is shown once, after a question', async () => {
  serverHas(shop);
  const { user } = await choose('New secret…');
  await user.click((await openedConfirm()).getByRole('button', { name: 'Make new secret' }));
  expect(await screen.findByText(secret)).toBeTruthy();
});

test('a second new secret within a day says what it ends', async () => {
  const previousSecretUntil = new Date(Date.now() + 3_600_000).toISOString();
  const calls = serverHas({ ...shop, previousSecretUntil });
  const { user } = await choose('New secret…');
  const confirm = await openedConfirm();
  expect(confirm.getByText(/the secret before it stops signing at once/)).toBeTruthy();
  await user.click(confirm.getByRole('button', { name: 'Make new secret' }));
  expect(await screen.findByText(secret)).toBeTruthy();
  expect(calls).toEqual([['POST /w1/secret?endPrevious=true', '']]);
});

test('the log shows what the receiver answered, page by page, and filters by state', async () => {
  serverHas(shop);
  const asked = serverLogs(delivery);
  const { user, panel } = await openLog();
  const entry = (await panel.findByText('claim.paid')).closest('li');
  expect(entry?.textContent).toContain('Given up');
  expect(entry?.textContent).toContain('10 attempts');
  expect(entry?.textContent).toContain('claim c1');
  expect(entry?.textContent).toContain('Answered 503.');
  expect(entry?.textContent).toContain('Service Unavailable');
  await user.click(panel.getByRole('button', { name: 'Load more' }));
  expect(await panel.findByText('qr.hidden')).toBeTruthy();
  await user.selectOptions(panel.getByLabelText('State'), 'Given up');
  await waitFor(() => expect(asked.at(-1)).toBe('endpoint=w1&state=failed&limit=30'));
});

test('one delivery, a test event and everything since a time can be sent', async () => {
  const calls = serverHas(shop);
  serverLogs(delivery);
  const { user, panel } = await openLog();
  await user.click(await panel.findByRole('button', { name: /^Resend claim.paid/ }));
  await user.click(panel.getByRole('button', { name: 'Send test event' }));
  await user.click(panel.getByRole('button', { name: 'Resend since…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Resend everything since' }));
  const { value: since } = dialog.getByLabelText<HTMLInputElement>('Since');
  await user.click(dialog.getByRole('button', { name: 'Resend' }));
  expect(await screen.findByRole('dialog', { name: '12 events will be sent again' })).toBeTruthy();
  expect(calls.map(([call]) => call)).toEqual([
    'POST /deliveries/d1/resend',
    'POST /w1/test',
    'POST /w1/resend',
  ]);
  expect(calls.at(-1)?.[1]).toEqual({ since: new Date(`${since}+05:30`).toISOString() });
});

test('a second press while something is being sent sends nothing', async () => {
  serverHas(shop);
  serverLogs(delivery);
  let answer = () => {};
  const isAnswered = new Promise<void>((done) => {
    answer = done;
  });
  const sent: string[] = [];
  const slow = async ({ request }: { request: Request }) => {
    sent.push(new URL(request.url).pathname);
    await isAnswered;
    return HttpResponse.json(delivery);
  };
  server.use(
    http.post('*/api/webhooks/:id/test', slow),
    http.post('*/api/webhooks/deliveries/:id/resend', slow),
  );
  const { user, panel } = await openLog();
  await user.dblClick(await panel.findByRole('button', { name: /^Resend claim.paid/ }));
  await user.dblClick(panel.getByRole('button', { name: 'Send test event' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  answer();
  const resend = panel.getByRole('button', { name: /^Resend claim.paid/ });
  await waitFor(() => expect(resend.getAttribute('aria-busy')).toBe('false'));
  expect(sent).toEqual(['/api/webhooks/deliveries/d1/resend', '/api/webhooks/w1/test']);
});

test('nothing can be sent to a disabled endpoint', async () => {
  serverHas({ ...shop, isEnabled: false, disabledAt: at, disabledWhy: 'Disabled by ravi.' });
  serverLogs(delivery);
  const { panel } = await openLog();
  await panel.findByText('claim.paid');
  expect(panel.queryByRole('button', { name: /^Resend claim/ })).toBeNull();
  expect(panel.getByRole('button', { name: 'Send test event' }).matches(':disabled')).toBe(true);
});
