import { HttpResponse, http } from 'msw';
import { vi } from 'vitest';
import type { Schemas } from '../api/client';
import { server } from './server';

type Export = Schemas['Export'];

export const exportRequest = {
  list: 'claims',
  format: 'csv',
  query: { status: 'Pending' },
} as const;

/** An export that is requested but not downloaded yet. */
export const newExport: Export = {
  ...exportRequest,
  _id: 'e1',
  fileName: 'claims.csv',
  state: 'waiting',
  rowsWritten: 0,
  rowsTotal: 12345,
};
export const exportUrl = 'http://desk.test/api/exports/e1/file?key=once';

/** A server whose exports progress as the test says, and a browser that only records its downloads. */
export function serverExports() {
  const state = {
    asked: [] as unknown[],
    downloads: [] as string[],
    cancelled: [] as unknown[],
    /** The response to a status request for any export. */
    news: { ...newExport, state: 'running', rowsWritten: 4321 } as Export,
    underWay: [] as Export[],
    end: (how: Export['state'], rowsWritten = 4321) => {
      state.news = { ...newExport, state: how, rowsWritten };
    },
  };
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    state.downloads.push(`${this.download} from ${this.href}`);
  });
  server.use(
    http.post('*/api/exports', async ({ request }) => {
      state.asked.push(await request.json());
      return HttpResponse.json({ ...newExport, url: exportUrl }, { status: 201 });
    }),
    http.get('*/api/exports', () => HttpResponse.json(state.underWay)),
    http.get('*/api/exports/:id', () => HttpResponse.json(state.news)),
    http.delete('*/api/exports/:id', ({ params }) => {
      state.cancelled.push(params.id);
      state.end('cancelled');
      return new HttpResponse(null, { status: 204 });
    }),
  );
  return state;
}
