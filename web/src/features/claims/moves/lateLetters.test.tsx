import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { claimOf, serverMoves } from '../../../testing/claimServer';
import { armed, openApp, openedConfirm } from '../../../testing/openApp';
import { refusal } from '../../../testing/server';
import { stopTheClock } from '../../../testing/typingClock';

const field = () => screen.getByLabelText<HTMLInputElement>(/^Bank reference/);

/** Opens the payment of a claim, which the server will refuse. */
async function openPayment() {
  const clock = stopTheClock();
  const state = serverMoves([claimOf(1, 'Accepted')]);
  state.refuse = () => refusal(422, 'invalid_input', 'Too short.', { reference: 'Too short.' });
  const { user } = openApp('/Withdraw?status=Accepted');
  await screen.findByText('Client 1');
  await user.keyboard('jpN567');
  return { user, state, clock, confirm: await openedConfirm() };
}

const unread = /^What you typed on was not taken\./;

test('of a reference that is typed on after its refusal, no part is added', async () => {
  const { user, state, clock, confirm } = await openPayment();
  for (const turn of ['{ArrowRight}', '{End}{Backspace}']) {
    await armed();
    const sent = state.puts.length;
    const before = field().value;
    await user.keyboard('{Enter}78');
    await confirm.findByText('Too short.');
    await user.keyboard('{Backspace}095');
    await confirm.findByText(unread);
    clock.pass(600);
    await user.keyboard('80a{Enter}');
    expect(field().value).toBe(before);
    expect(state.puts).toHaveLength(sent + 1);
    clock.pass(600);
    await user.keyboard(`${turn}9`);
    expect(field().value).toBe(`${turn.endsWith('{Backspace}') ? before.slice(0, -1) : before}9`);
    expect(confirm.queryByText(unread)).toBeNull();
  }
  expect(state.puts.map(({ body }) => body.reference)).toEqual(['N567', 'N5679']);
});

test('a correction of a reference that was not taken does not end the one that was', async () => {
  const { user, state, clock, confirm } = await openPayment();
  await armed();
  await user.keyboard('{Enter}');
  await confirm.findByText('Too short.');
  clock.pass(600);
  for (const keys of ['p522698', '{Backspace}', '{Control>}z{/Control}', '{Delete}']) {
    await user.keyboard(keys);
    clock.pass(1_200);
    await user.keyboard('8075493{Enter}');
    expect(field().value).toBe('N567');
    clock.pass(1_200);
  }
  expect(confirm.getByText(unread)).toBeTruthy();
  expect(state.puts).toHaveLength(1);
});

test('whoever reads the refusal first turns to the field and types on', async () => {
  const { user, clock, confirm } = await openPayment();
  await armed();
  await user.keyboard('{Enter}');
  await confirm.findByText('Too short.');
  clock.pass(600);
  await user.keyboard('{End}890');
  expect(field().value).toBe('N567890');
  expect(confirm.queryByText(unread)).toBeNull();
});
