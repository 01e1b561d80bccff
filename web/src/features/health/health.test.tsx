import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Schemas } from '../../api/client';
import { heading, openApp } from '../../testing/openApp';
import { refusal, server } from '../../testing/server';

const checks: Schemas['Check'][] = [
  { title: 'Disk', state: 'fine', message: '58.1 GB free (23 %).' },
  { title: 'Last backup', state: 'wrong', message: 'Older than a day: make one now.' },
  { title: 'Certificate', state: 'note', message: 'The desk has no https address.' },
];

async function openHealth() {
  const app = openApp('/Settings/Health');
  await heading('Health');
  return app;
}
const rows = async (name: string) =>
  within(await screen.findByRole('list', { name }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('every check says how it is and what to do, the urgent ones first', async () => {
  server.use(http.get('*/api/health', () => HttpResponse.json({ version: '9.9.1', checks })));
  await openHealth();
  expect(await rows('The server')).toEqual([
    'wrongLast backupOlder than a day: make one now.',
    'noteCertificateThe desk has no https address.',
    'fineDisk58.1 GB free (23 %).',
  ]);
  expect(screen.getByText('Countinghouse 9.9.1')).toBeTruthy();
});

test('the stored data is checked on request, and a failure can be retried', async () => {
  let attempts = 0;
  server.use(
    http.get('*/api/health', () => HttpResponse.json({ version: '9.9.1', checks })),
    http.get('*/api/health/data', () => {
      attempts += 1;
      if (attempts === 1) return refusal(403, 'permission_missing', 'Not your role any more.');
      return HttpResponse.json([{ title: 'No claim was paid twice', state: 'fine', message: '' }]);
    }),
  );
  const { user } = await openHealth();
  await rows('The server');
  expect(attempts).toBe(0);
  await user.click(screen.getByRole('button', { name: 'Check the stored data' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Not your role any more.');
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await rows('The stored data')).toEqual(['fineNo claim was paid twice']);
});

test('checks that cannot be loaded are reported', async () => {
  server.use(http.get('*/api/health', () => refusal(403, 'permission_missing', 'Not your role.')));
  await openHealth();
  expect((await screen.findByRole('alert')).textContent).toContain('Not your role.');
});

test('the menu tells the version of the server', async () => {
  server.use(http.get('*/api/version', () => HttpResponse.json({ version: '9.9.1' })));
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const footer = within(screen.getByRole('navigation', { name: 'Screens' }));
  expect(await footer.findByText('Countinghouse 9.9.1')).toBeTruthy();
});
