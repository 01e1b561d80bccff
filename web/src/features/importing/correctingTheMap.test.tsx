import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { importId, people, planned, report, serverHas } from '../../testing/importServer';
import { openApp } from '../../testing/openApp';
import type { Import, MappedCollection } from './imports';

afterEach(() => vi.restoreAllMocks());

const withCollections = (...collections: MappedCollection[]): Import => ({
  ...planned,
  report: { ...report, collections },
});

async function openMap(found: Import) {
  const state = serverHas(found);
  const opened = openApp(`/Settings/Import?import=${importId}`);
  const map = within(await screen.findByRole('region', { name: 'Map' }));
  const check = () => opened.user.click(map.getByRole('button', { name: 'Check again' }));
  return { ...opened, state, map, check };
}

const wholeMap = {
  timeZone: 'Asia/Kolkata',
  trim: false,
  collections: {
    people: {
      noun: 'users',
      fields: people.fields,
      defaults: {},
      statuses: {},
      dateFormat: null,
    },
  },
};

test('fields, defaults, date format, time zone and trimming are corrected and checked again', async () => {
  const { user, state, map, check } = await openMap(planned);
  await user.selectOptions(map.getByLabelText('Their field for username'), 'note');
  await user.selectOptions(map.getByLabelText('Their field for _id'), 'None');
  await user.type(map.getByLabelText('Value if mobile is empty'), '9805756092');
  await user.type(map.getByLabelText('Date format'), '%d/%m/%Y');
  await user.clear(map.getByLabelText('Time zone'));
  await user.type(map.getByLabelText('Time zone'), 'UTC');
  await user.click(map.getByLabelText('Remove spaces around text'));
  // What was planned is not what would be imported now.
  expect(screen.getByText('The map has changed. Check again before you import.')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Import 1,200/ }).matches(':disabled')).toBe(true);
  await check();
  await waitFor(() => expect(state.calls).toHaveLength(1));
  expect(state.calls[0]).toEqual([
    `POST /${importId}/plan`,
    {
      timeZone: 'UTC',
      trim: true,
      collections: {
        people: {
          ...wholeMap.collections.people,
          fields: { ...people.fields, _id: '', username: 'note' },
          defaults: { mobile: '9805756092' },
          dateFormat: '%d/%m/%Y',
        },
      },
    },
  ]);
});

test('the fields of another noun are guessed by the server', async () => {
  const { user, state, map, check } = await openMap(planned);
  await user.selectOptions(map.getByLabelText('Import as'), 'Claims');
  expect(map.getByText('Its fields are detected when you check again.')).toBeTruthy();
  expect(map.queryByLabelText('Their field for username')).toBeNull();
  await check();
  await waitFor(() => expect(state.calls).toHaveLength(1));
  expect(state.calls[0]?.[1]).toMatchObject({ collections: { people: { noun: 'claims' } } });
});

test('what a map lacks is said above it', async () => {
  const lacking = { ...people, missing: ['mobile'] };
  await openMap({ ...withCollections(lacking), good: 0, bad: 0 });
  expect(screen.getByText(/^people: no field for mobile\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Import \d/ })).toBeNull();
});

test('an unknown status is given a meaning, and others can be added', async () => {
  const claims: MappedCollection = {
    ...people,
    noun: 'claims',
    statuses: { paid: 'Paid' },
    unknownStatuses: ['in process'],
  };
  const { user, state, map, check } = await openMap(withCollections(claims));
  await user.selectOptions(map.getByLabelText('Our status for in process'), 'On hold');
  await user.type(map.getByLabelText('Another status of the source'), 'settled{Enter}');
  await user.selectOptions(map.getByLabelText('Our status for settled'), 'Paid');
  await check();
  await waitFor(() => expect(state.calls).toHaveLength(1));
  const statuses = { paid: 'Paid', 'in process': 'On hold', settled: 'Paid' };
  expect(state.calls[0]?.[1]).toMatchObject({ collections: { people: { statuses } } });
});

test('a word can mean any status that the server takes, and no other', async () => {
  const claims = { ...people, noun: 'claims' as const, unknownStatuses: ['in process'] };
  const { map } = await openMap({ ...withCollections(claims), statuses: ['On hold', 'Paid'] });
  const choice = within(map.getByLabelText('Our status for in process'));
  expect(choice.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    'Unknown: such rows are bad',
    'On hold',
    'Paid',
  ]);
});

test('the map is saved as JSON, and a saved one is loaded and checked', async () => {
  const { user, state, map } = await openMap(planned);
  await user.click(map.getByRole('button', { name: 'Download map' }));
  expect(state.saved[0]?.name).toBe('import-map.json');
  const json = (await state.saved[0]?.content.text()) ?? '';
  expect(JSON.parse(json)).toEqual(wholeMap);
  const load = map.getByLabelText('Map to load');
  await user.upload(load, new File(['[1]'], 'list.json', { type: 'application/json' }));
  expect(await map.findByText(/^list.json is not a map/)).toBeTruthy();
  expect(state.calls).toEqual([]);
  await user.upload(load, new File([json], 'map.json', { type: 'application/json' }));
  await waitFor(() => expect(state.calls).toEqual([[`POST /${importId}/plan`, wholeMap]]));
});
