import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { openApp } from '../../testing/openApp';
import { server } from '../../testing/server';
import { at, delivery, serverHas, serverLogs, shop } from '../../testing/webhookServer';

async function openLog() {
  const opened = openApp('/Settings/Webhooks');
  await opened.user.click(await screen.findByRole('button', { name: `Deliveries to ${shop.url}` }));
  return { ...opened, panel: within(await screen.findByRole('dialog', { name: 'Deliveries' })) };
}

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
