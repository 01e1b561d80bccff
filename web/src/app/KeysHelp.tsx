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
  { title: 'Everywhere', keys: [{ press: ['?'], does: 'Show these keys' }] },
];

/** All the keys that there are. None of them moves money. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  return <KeyboardHelp groups={groups} onClose={onClose} />;
}
