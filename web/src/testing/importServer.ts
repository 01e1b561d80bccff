import { HttpResponse, http } from 'msw';
import { vi } from 'vitest';
import type { Import, ImportReport, MappedCollection } from '../features/importing/imports';
import { server } from './server';

export const importId = '6917e2f4a1b2c3d4e5000007';

export const people: MappedCollection = {
  name: 'people',
  file: 'people.csv',
  noun: 'users',
  fields: { _id: 'id', username: 'name', mobile: 'phone' },
  defaults: {},
  statuses: {},
  dateFormat: null,
  sourceFields: ['id', 'name', 'phone', 'note'],
  ourFields: [
    { name: '_id', isRequired: false },
    { name: 'username', isRequired: true },
    { name: 'mobile', isRequired: true },
  ],
  unused: ['note'],
  missing: [],
  unknownStatuses: [],
};

export const report: ImportReport = {
  collections: [people],
  outcomes: { users: { created: 1200, unchanged: 4, conflict: 1, invalid: 2 } },
  notes: 0,
  firstBad: [
    {
      file: 'people.csv',
      collection: 'people',
      place: 'line 3',
      outcome: 'invalid',
      field: 'mobile',
      value: '12',
      reason: 'mobile is not an Indian mobile number.',
    },
  ],
  totals: [
    {
      noun: 'users',
      group: 'all',
      source: { rows: 1207, sums: {} },
      bad: { rows: 3, sums: {} },
      desk: { rows: 1204, sums: {} },
      missing: { rows: 0, sums: {} },
    },
  ],
};

export const planned: Import = {
  _id: importId,
  createdAt: '2026-11-15T02:52:36.120Z',
  createdBy: 'asha',
  files: [{ name: 'people.csv', size: 48213 }],
  state: 'planned',
  parts: 1,
  partsInAll: 1,
  progress: { rows: 1207, share: 100, rowsPerSecond: 0, secondsLeft: null },
  good: 1204,
  bad: 3,
  failure: null,
  hasBadRows: true,
  statuses: ['Pending', 'Paid', 'On hold', 'Rejected', 'Returned'],
  map: {},
  report,
};

/**
 * A server with one import, and a browser that only records what it saves. What is sent is recorded as
 * `METHOD path?query` and its body.
 */
export function serverHas(first: Import) {
  const state = {
    found: first,
    calls: [] as [string, unknown][],
    saved: [] as { name: string; content: Blob }[],
  };
  let content = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    content = blob as Blob;
    return 'blob:saved';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    state.saved.push({ name: this.download, content });
  });
  const note = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const name = `${request.method} ${pathname.replace('/api/imports', '')}${search}`;
    const isJson = request.headers.get('Content-Type') === 'application/json';
    const body = isJson ? await request.json() : (await request.arrayBuffer()).byteLength;
    state.calls.push([name, body]);
  };
  const answer = (status: number) => HttpResponse.json(state.found, { status });
  server.use(
    http.get('*/api/imports', () => HttpResponse.json([state.found])),
    http.get(`*/api/imports/${importId}`, () => answer(200)),
    http.post('*/api/imports', async ({ request }) => {
      await note(request);
      return answer(201);
    }),
    http.put('*/api/imports/parts', async ({ request }) => {
      await note(request);
      return new HttpResponse(null, { status: 204 });
    }),
    http.post(`*/api/imports/${importId}/:task`, async ({ request, params }) => {
      await note(request);
      state.found = { ...state.found, state: params.task === 'plan' ? 'planning' : 'running' };
      return answer(202);
    }),
    http.get(`*/api/imports/${importId}/errors`, () => HttpResponse.text('File,Reason\r\n')),
  );
  return state;
}
