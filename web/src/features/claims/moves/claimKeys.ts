import type { KeyGroup } from '../../../ui/page/keys';

/** The keys of `actions.ts` and of the opened claim, for the list of keyboard shortcuts, which is loaded with it. */
export const claimKeys: KeyGroup = {
  title: 'On a claim',
  keys: [
    { press: ['a'], does: 'Accept' },
    { press: ['p'], does: 'Paid Success; asks for the bank reference' },
    { press: ['u'], does: 'Undo your last Accept or Reject' },
    { press: ['h'], does: 'Put on hold' },
    { press: ['r'], does: 'Reject' },
    { press: ['Shift A'], does: 'Accept all the selected claims; asks first' },
    { press: ['m'], does: 'Show everything that can be done with it' },
    { press: ['c'], does: 'Copy account, IFSC and amount' },
    { press: ['1', '2', '3'], does: 'Copy one of them, in the opened claim' },
  ],
};
