import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import type { Schemas } from '../../api/client';
import openapi from '../../api/openapi.json';
import { createQueryClient } from '../../api/queryClient';
import { heading, openApp } from '../../testing/openApp';
import { claims, me, purchases, qrCodes, users } from '../../testing/sampleData';
import { server } from '../../testing/server';
import { EarlyField } from '../Overlays';
import { routes } from '../routes';
import Palette from './Palette';

test('Ctrl K finds a claim by its number and opens it', async () => {
  const searched: string[] = [];
  const record = (request: Request) =>
    void searched.push(new URL(request.url).searchParams.get('q') ?? '');
  server.use(
    http.get('*/api/claims/all', ({ request }) => {
      record(request);
      return HttpResponse.json(claims.slice(0, 1));
    }),
    // No user has such a number.
    http.get('*/api/users', ({ request }) =>
      HttpResponse.json(request.url.includes('q=C-') ? [] : users),
    ),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  const { user } = openApp('/reg');
  await heading('Registered Users');
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: /^Claim number/ });
  const [claim] = claims;
  await user.type(field, 'C-100');
  const option = await screen.findByRole('option', { name: new RegExp(claim?.number ?? '') });
  expect(option.getAttribute('aria-selected')).toBe('true');
  expect(searched.at(-1)).toBe('C-100');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(window.location.pathname).toBe(`/Withdraw/${claim?.number}`));
  expect(screen.queryByRole('combobox', { name: /^Claim number/ })).toBeNull();
});

test('the palette opens screens and does things without asking the server', async () => {
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.click(screen.getByRole('button', { name: /^Go to/ }));
  await user.keyboard('s');
  await user.click(await screen.findByRole('option', { name: /^Settings/ }));
  await heading('Settings');
  expect(window.location.pathname).toBe('/Settings');
});

test('the palette says that nothing was found', async () => {
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([])),
    http.get('*/api/users', () => HttpResponse.json([])),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.keyboard('{Control>}k{/Control}zzzz');
  expect(await screen.findByText(/^Nothing found/)).toBeTruthy();
  await user.keyboard('{Escape}');
});

const viewOf = (screen: string): Schemas['View'] => ({
  _id: `view of ${screen}`,
  screen: screen as Schemas['View']['screen'],
  name: `Mine ${screen}`,
  search: 'sort=name',
});

/** Finds nothing but the views that were saved for each screen. */
function serverHasViews() {
  const asked: string[] = [];
  server.use(
    http.get('*/api/claims/all', () => HttpResponse.json([])),
    http.get('*/api/users', () => HttpResponse.json([])),
    http.get('*/api/views', ({ request }) => {
      const wanted = new URL(request.url).searchParams.get('screen') ?? '';
      asked.push(wanted);
      return HttpResponse.json([viewOf(wanted)]);
    }),
  );
  return asked;
}

const viewScreens = openapi.components.schemas.View.properties.screen.enum;

test.each(viewScreens)('a saved view of %s is found, and opened on its screen', async (name) => {
  serverHasViews();
  const { user } = openApp('/Settings');
  await heading('Settings');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /^Claim/ }), `Mine ${name}`);
  await user.click(await screen.findByRole('option', { name: new RegExp(`^Mine ${name}`) }));
  const path = routes.find(({ views }) => views === name)?.path;
  await waitFor(() => expect(window.location.pathname).toBe(path));
  expect(window.location.search).toBe('?sort=name');
});

test('the views of a screen that the admin may not open are not asked for', async () => {
  const asked = serverHasViews();
  const permissions = me.permissions.filter((name) => name !== 'audit.read');
  const { user } = openApp('/Settings', { permissions });
  await heading('Settings');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /^Claim/ }), 'Mine');
  await screen.findByRole('option', { name: /^Mine claims/ });
  expect(screen.queryByRole('option', { name: /^Mine audit/ })).toBeNull();
  expect(asked).not.toContain('audit');
});

/** A desk with one claim and one purchase, found only as the server finds them: by the whole number. */
function serverFindsByNumber() {
  const asked: string[] = [];
  const [claim] = claims;
  const [purchase] = purchases;
  const rows = (path: string, row: { number: string } | undefined) =>
    http.get(path, ({ request }) => {
      const { searchParams } = new URL(request.url);
      const wanted = searchParams.get('number');
      asked.push(`${path} ${wanted ?? searchParams.get('q')}`);
      return HttpResponse.json(row && row.number.slice(2) === wanted ? [row] : []);
    });
  server.use(
    rows('*/api/claims/all', claim),
    rows('*/api/purchases/all', purchase),
    http.get('*/api/users', () => HttpResponse.json([])),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  return asked;
}

test.each([
  ['10001', `/Withdraw/${claims[0]?.number}`],
  ['c10001', `/Withdraw/${claims[0]?.number}`],
  ['P-10001', `/Data/${purchases[0]?.number}`],
  ['p10001', `/Data/${purchases[0]?.number}`],
  ['q-10001', `/QR/${qrCodes[0]?.number}`],
])('%s opens %s', async (text, path) => {
  const asked = serverFindsByNumber();
  const { user } = openApp('/reg');
  await heading('Registered Users');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /^Claim/ }), `${text}{Enter}`);
  await waitFor(() => expect(window.location.pathname).toBe(path));
  // For the screen that it opens too.
  expect(asked.length).toBeLessThanOrEqual(5);
});

test('Enter waits for the result of the typed text, and never takes that of an earlier one', async () => {
  const answers: (() => void)[] = [];
  server.use(
    http.get('*/api/claims/all', async ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      if (q === 'second') await new Promise<void>((answer) => answers.push(answer));
      return HttpResponse.json([claims[q === 'second' ? 1 : 0]]);
    }),
    http.get('*/api/users', () => HttpResponse.json([])),
    http.get('*/api/views', () => HttpResponse.json([])),
  );
  const { user } = openApp('/reg');
  await heading('Registered Users');
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: /^Claim number/ });
  await user.type(field, 'first');
  await screen.findByRole('option', { name: new RegExp(claims[0]?.number ?? '') });
  await user.clear(field);
  await user.type(field, 'second{Enter}');
  await waitFor(() => expect(answers).toHaveLength(1));
  expect(window.location.pathname).toBe('/reg');
  answers[0]?.();
  await waitFor(() => expect(window.location.pathname).toBe(`/Withdraw/${claims[1]?.number}`));
});

test('what is typed while the palette loads is kept, and Enter too', async () => {
  serverFindsByNumber();
  window.history.replaceState(null, '', '/reg');
  let kept = '';
  const { unmount } = render(
    <EarlyField typed="c10001" onType={(typed) => (kept = typed)} onClose={() => undefined} />,
  );
  fireEvent.keyDown(screen.getByRole('textbox', { name: 'Go to' }), { key: 'Enter' });
  unmount();
  const ignore = () => undefined;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Palette typed={kept} onKeys={ignore} onClose={ignore} />
    </QueryClientProvider>,
  );
  expect(screen.getByRole<HTMLInputElement>('combobox').value).toBe('c10001');
  await waitFor(() => expect(window.location.pathname).toBe('/Withdraw/C-10001'));
});

test('Enter is forgotten when more is typed', async () => {
  const asked = serverFindsByNumber();
  const { user } = openApp('/reg');
  await heading('Registered Users');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /^Claim number/ }), 'c-1000{Enter}1');
  await waitFor(() => expect(asked).toContain('*/api/claims/all 10001'));
  expect(await screen.findByRole('option', { name: /C-10001/ })).toBeTruthy();
  expect(window.location.pathname).toBe('/reg');
});

test('an action is found however its name is spaced', async () => {
  serverFindsByNumber();
  const { user } = openApp('/Data');
  await heading('Client Data');
  await user.keyboard('{Control>}k{/Control}logout');
  expect(await screen.findByRole('option', { name: /Log out/ })).toBeTruthy();
});
