import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, expect, test } from 'vitest';
import { createQueryClient } from '../../api/queryClient';
import { startSession } from '../../api/session';
import { refusal, refuseUntilRecovered, server } from '../../testing/server';
import { SavedViews } from './SavedViews';
import type { NewView, SavedView } from './viewActions';

const large: SavedView = {
  _id: 'v1',
  screen: 'claims',
  name: 'Large and pending',
  search: 'status=Pending&min=50000',
};
const today: SavedView = { _id: 'v2', screen: 'claims', name: 'Paid', search: 'status=Paid' };

let stored: SavedView[];
let applied: string[];

/** A server that stores views as the real one does: names are compared case-insensitively. */
beforeEach(() => {
  stored = [large, today];
  applied = [];
  server.use(
    http.get('*/api/views', ({ request }) => {
      const screenAsked = new URL(request.url).searchParams.get('screen');
      return HttpResponse.json(stored.filter((view) => view.screen === screenAsked));
    }),
    http.post('*/api/views', async ({ request }) => {
      const view = (await request.json()) as NewView;
      if (stored.some(({ name }) => name.toLowerCase() === view.name.toLowerCase())) {
        return refusal(409, 'view_exists', `There is a view named ${view.name} already.`);
      }
      stored = [...stored, { ...view, _id: `v${stored.length + 10}` }];
      return HttpResponse.json(stored.at(-1), { status: 201 });
    }),
    http.put('*/api/views/:id', async ({ request, params }) => {
      const change = (await request.json()) as Pick<SavedView, 'name' | 'search'>;
      stored = stored.map((view) => (view._id === params.id ? { ...view, ...change } : view));
      return HttpResponse.json(stored.find((view) => view._id === params.id));
    }),
    http.delete('*/api/views/:id', ({ params }) => {
      stored = stored.filter((view) => view._id !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
  startSession('stored');
});

async function openViews(search = 'min=50000&status=Pending') {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SavedViews screen="claims" search={search} onApply={(chosen) => applied.push(chosen)} />
    </QueryClientProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Views' }));
  return user;
}
type User = Awaited<ReturnType<typeof openViews>>;

const button = (name: string | RegExp) => screen.findByRole('button', { name });
async function saveAs(user: User, name: string) {
  await waitFor(async () =>
    expect(await button('Save this view…')).toHaveProperty('disabled', false),
  );
  await user.click(await button('Save this view…'));
  await user.type(screen.getByLabelText('Name of this view'), name);
  await user.keyboard('{Enter}');
}

test('choosing a view applies its search and closes the panel', async () => {
  const user = await openViews();
  await user.click(await button('Paid'));
  expect(applied).toEqual(['status=Paid']);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the current view is marked, whatever the order of its parameters', async () => {
  await openViews('min=50000&status=Pending');
  expect((await button(/^Large and pending/)).getAttribute('aria-current')).toBe('true');
  expect((await button('Paid')).hasAttribute('aria-current')).toBe(false);
});

test('without views the panel explains what a view is', async () => {
  stored = [];
  await openViews();
  expect(await screen.findByText(/A view keeps the search, filters, order/)).toBeTruthy();
});

test('saving stores the current search under the name and marks the view', async () => {
  const user = await openViews('q=nair');
  await saveAs(user, '  Nair ');
  const saved = await button(/^Nair/);
  expect(saved.getAttribute('aria-current')).toBe('true');
  expect(stored.at(-1)).toMatchObject({ screen: 'claims', name: 'Nair', search: 'q=nair' });
  expect(document.activeElement).toBe(await button('Save this view…'));
});

test('a view needs a name', async () => {
  const user = await openViews();
  await saveAs(user, '   ');
  expect((await screen.findByRole('alert')).textContent).toBe('Give the view a name.');
  expect(stored).toHaveLength(2);
});

test('saving under a taken name offers to replace that view with the current search', async () => {
  const user = await openViews('q=nair');
  await saveAs(user, 'paid');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'There is already a view named “Paid”.',
  );
  await user.click(await button('Replace'));
  await waitFor(() => expect(screen.queryByLabelText('Name of this view')).toBeNull());
  expect(stored).toEqual([large, { ...today, name: 'paid', search: 'q=nair' }]);
});

test('typing another name withdraws the offer to replace', async () => {
  const user = await openViews('q=nair');
  await saveAs(user, 'Paid');
  await button('Replace');
  await user.type(screen.getByLabelText('Name of this view'), ' Nair');
  expect(screen.queryByRole('button', { name: 'Replace' })).toBeNull();
  await user.click(await button('Save'));
  await button(/^Paid Nair/);
  expect(stored).toHaveLength(3);
});

test('a name that another window has taken meanwhile can also be replaced', async () => {
  const user = await openViews('q=nair');
  await button('Paid');
  stored = [...stored, { ...large, _id: 'v3', name: 'Fresh' }];
  await saveAs(user, 'Fresh');
  await user.click(await button('Replace'));
  await waitFor(() => expect(stored.at(-1)).toMatchObject({ _id: 'v3', search: 'q=nair' }));
});

test('a refusal shows the message of the server, and the name stays for another try', async () => {
  server.use(http.post('*/api/views', () => refusal(409, 'too_many_views', 'You have 50 views.')));
  const user = await openViews();
  await saveAs(user, 'One more');
  expect(await screen.findByText('You have 50 views.')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Name of this view').value).toBe('One more');
});

test('deleting asks first, and the second click of a double click keeps the view', async () => {
  const user = await openViews();
  await user.click(await button('Delete Paid'));
  expect(screen.getByText('Delete “Paid”?')).toBeTruthy();
  expect(document.activeElement).toBe(await button('Keep'));
  await user.click(await button('Keep'));
  expect(document.activeElement).toBe(await button('Delete Paid'));
  expect(stored).toHaveLength(2);
});

test('a deleted view can be restored', async () => {
  const user = await openViews();
  await user.click(await button('Delete Paid'));
  await user.click(await button('Delete'));
  const status = within(await screen.findByRole('status'));
  const undo = await status.findByRole('button', { name: 'Undo' });
  expect(document.activeElement).toBe(undo);
  expect(stored).toEqual([large]);
  expect(screen.queryByRole('button', { name: 'Paid' })).toBeNull();
  await user.click(undo);
  expect(await button('Paid')).toBeTruthy();
  expect(stored.at(-1)).toMatchObject({ name: 'Paid', search: 'status=Paid' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('Undo is still offered when the panel is reopened', async () => {
  const user = await openViews();
  await user.click(await button('Delete Paid'));
  await user.click(await button('Delete'));
  await button('Undo');
  await user.keyboard('{Escape}');
  await user.click(await button('Views'));
  expect(await button('Undo')).toBeTruthy();
});

test('a failed deletion shows an error, and the view stays', async () => {
  server.use(http.delete('*/api/views/:id', () => refusal(503, 'database_unavailable', 'Away.')));
  const user = await openViews();
  await user.click(await button('Delete Paid'));
  await user.click(await button('Delete'));
  expect((await screen.findByRole('alert')).textContent).toContain('Away.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('views that cannot be loaded show an error, and Retry loads them', async () => {
  const recover = refuseUntilRecovered('*/api/views', 'Not for you.');
  const user = await openViews();
  expect((await screen.findByRole('alert')).textContent).toContain('Not for you.');
  recover();
  await user.click(await button('Retry'));
  expect(await button('Paid')).toBeTruthy();
});
