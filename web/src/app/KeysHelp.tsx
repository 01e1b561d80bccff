import KeyboardHelp, { type KeyGroup } from '../ui/KeyboardHelp';

const groups: KeyGroup[] = [
  {
    title: 'In a table',
    keys: [
      { press: ['/'], does: 'Search' },
      { press: ['j', 'k'], does: 'Go to the next or the previous row' },
      { press: ['x'], does: 'Select the row' },
      { press: ['Enter'], does: 'Open the row' },
      { press: ['Esc'], does: 'Clear the search, or close what is open' },
    ],
  },
  {
    title: 'On a claim',
    keys: [
      { press: ['a'], does: 'Accept' },
      { press: ['p'], does: 'Paid Success; again, or Ctrl Enter, to confirm' },
      { press: ['u'], does: 'Undo your last Accept' },
      { press: ['h'], does: 'Put on hold' },
      { press: ['r'], does: 'Reject' },
      { press: ['Shift A'], does: 'Accept all the selected claims; asks first' },
      { press: ['m'], does: 'Show everything that can be done with it' },
      { press: ['c'], does: 'Copy account, IFSC and amount' },
      { press: ['1', '2', '3'], does: 'Copy one of them, in the opened claim' },
    ],
  },
  { title: 'Everywhere', keys: [{ press: ['?'], does: 'Show these keys' }] },
];

/** All keyboard shortcuts. The one that marks a claim as paid asks for confirmation. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  return <KeyboardHelp groups={groups} onClose={onClose} />;
}
