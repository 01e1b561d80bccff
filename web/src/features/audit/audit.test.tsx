import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '../../entities/audit/audit';
import { openApp, rowOf } from '../../testing/openApp';
import { claims } from '../../testing/sampleData';
import { server } from '../../testing/server';
import { dayAfter, today } from '../../ui/text/deskDay';
import { changeWords, sealingWords } from './auditWords';

const entry = (part: Partial<AuditEntry> = {}): AuditEntry => ({
  _id: '10482',
  createdAt: '2026-11-15T02:52:36.120Z',
  actor: 'ravi',
  address: '203.0.113.9',
  verb: 'claim.moved',
  label: 'Moved a claim',
  subjectId: claims[0]?._id ?? '',
  number: 'C-10001',
  before: { status: 'Pending', version: 0 },
  after: { status: 'Accepted', version: 1 },
  ...part,
});

let asked: URLSearchParams[] = [];

beforeEach(() => {
  asked = [];
  server.use(
    http.get('*/api/audit', ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json([entry()]);
    }),
    http.get('*/api/audit/totals', () => HttpResponse.json({ count: 1, isExact: true })),
    http.get('*/api/audit/choices', () =>
      HttpResponse.json({
        actor: ['asha', 'ravi'],
        noun: ['claim'],
        verb: ['claim.moved'],
        labels: { 'claim.moved': 'Moved one claim' },
      }),
    ),
    http.get('*/api/audit/sealing', () =>
      HttpResponse.json({ sealed: 1, head: '', unsealed: 0, oldestUnsealedAt: null }),
    ),
  );
});

test('a row says in words who did what, and from where', async () => {
  openApp('/Audit');
  const row = await rowOf('ravi');
  expect(row.getByText('Moved a claim')).toBeTruthy();
  expect(row.getByText('Status: Pending → Accepted · Version: 0 → 1')).toBeTruthy();
  expect(row.getByText('203.0.113.9')).toBeTruthy();
  expect(await screen.findByText('All sealed')).toBeTruthy();
});

test('what an admin did yesterday takes three clicks', async () => {
  const { user } = openApp('/Audit');
  await rowOf('ravi');
  await user.click(screen.getByRole('button', { name: 'Yesterday' }));
  await user.click(screen.getByRole('button', { name: 'Filters 1' }));
  await screen.findByRole('option', { name: 'ravi' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Who' }), 'ravi');
  await waitFor(() => expect(asked.at(-1)?.get('actor')).toBe('ravi'));
  const yesterday = dayAfter(today(), -1);
  for (const end of ['from', 'to']) expect(asked.at(-1)?.get(end)).toBe(yesterday);
  await user.click(screen.getByRole('button', { name: 'Any day' }));
  expect(window.location.search).toBe('?who=ravi');
});

test('the search field looks for the number of a record', async () => {
  const { user } = openApp('/Audit');
  await rowOf('ravi');
  await user.type(screen.getByRole('searchbox'), 'C-10482{Enter}');
  await rowOf('ravi');
  expect(asked.at(-1)?.get('subject')).toBe('C-10482');
  expect(asked.at(-1)?.has('q')).toBe(false);
});

test('the filters name verbs and nouns in words', async () => {
  const { user } = openApp('/Audit');
  await rowOf('ravi');
  await user.click(screen.getByRole('button', { name: 'Filters' }));
  expect(await screen.findByRole('option', { name: 'Moved one claim' })).toBeTruthy();
  expect(screen.getByRole('option', { name: 'Claims' })).toBeTruthy();
});

test('an opened row links to its claim', async () => {
  const { user } = openApp('/Audit');
  const row = await rowOf('ravi');
  await user.click(row.getByText('ravi'));
  const panel = within(await screen.findByRole('dialog'));
  const link = await panel.findByRole('link', { name: 'Open claim C-10001' });
  expect(link.getAttribute('href')).toBe('/Withdraw/C-10001');
  expect(panel.getByText('203.0.113.9')).toBeTruthy();
});

test.each([
  [{}, ['Status: Pending → Accepted', 'Version: 0 → 1']],
  [{ before: null, after: { reason: 'Wrong account' } }, ['Reason: Wrong account']],
  [{ before: { status: 'display' }, after: null }, ['Status was display']],
  [{ before: null, after: { findings: [], payee: null, isExact: true } }, ['Is exact: yes']],
  [
    {
      verb: 'policy.changed',
      subjectId: 'secondLookAbove',
      before: { setting: 'off' },
      after: { setting: '5000000' },
    },
    ['Second look above', 'Setting: off → ₹50,000.00'],
  ],
  [{ before: null, after: null }, []],
  [{ verb: 'admin.password_changed', before: null, after: { passwordDigest: 'ab12' } }, []],
  [
    {
      verb: 'baseline.recorded',
      before: null,
      after: {
        kind: 'admin',
        records: { a1: { passwordDigest: 'ab12' }, a2: { passwordDigest: 'cd34' } },
      },
    },
    ['Kind: admin', 'Records: 2'],
  ],
] as [Partial<AuditEntry>, string[]][])('the change of %o in words', (part, words) => {
  expect(changeWords(entry(part))).toEqual(words);
});

test('rows that wait for their seal are counted', () => {
  expect(sealingWords({ unsealed: 2, oldestUnsealedAt: null })).toBe('2 rows not sealed yet');
});
