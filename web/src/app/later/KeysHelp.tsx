import { claimKeys } from '../../features/claims/moves/claimKeys';
import type { KeyGroup } from '../../ui/page/keys';
import { KeyboardHelp } from './KeyboardHelp';

const inTables: KeyGroup = {
  title: 'In a table',
  keys: [
    { press: ['/'], does: 'Search' },
    { press: ['j', 'k'], does: 'Go to the next or the previous row' },
    { press: ['x'], does: 'Select the row' },
    { press: ['Enter'], does: 'Open the row' },
    { press: ['Esc'], does: 'Leave the search, then clear it, or close what is open' },
  ],
};
const everywhere: KeyGroup = {
  title: 'Everywhere',
  keys: [
    { press: ['Ctrl K'], does: 'Go to a claim, a client, a code or a screen' },
    { press: ['?'], does: 'Show these keys' },
  ],
};
const groups = [inTables, claimKeys, everywhere];

/** The list of all keyboard shortcuts. */
export default function KeysHelp({ onClose }: { onClose: () => void }) {
  return <KeyboardHelp groups={groups} onClose={onClose} />;
}
