import type { Policy, PolicyWish, Rule } from '../../entities/policy/policy';
import { formatRupees } from '../../ui/text/rupees';

interface RuleTexts {
  title: string;
  does: string;
  /** Its name in the operator's command. */
  command: string;
}

export const ruleTexts: Record<Rule, RuleTexts> = {
  paidNeedsReference: {
    title: 'Paid needs a bank reference',
    does: 'A claim can be marked Paid only with the bank’s reference for it, and each reference can be used once.',
    command: 'paid-needs-reference',
  },
  twoPersons: {
    title: 'Two people for every payment',
    does: 'Whoever accepted a claim cannot also mark it Paid.',
    command: 'two-persons',
  },
  secondLookAbove: {
    title: 'A second person above an amount',
    does: 'For claims above this amount, whoever accepted one cannot also mark it Paid.',
    command: 'second-look-above',
  },
  newPayeeNeedsSecondAdmin: {
    title: 'A new payee needs a second admin',
    does: 'A QR code that pays an address which was never on display is displayed only after a second admin has approved it.',
    command: 'new-payee-needs-second-admin',
  },
  secondFactorRequired: {
    title: 'A second factor for every admin',
    does: 'An admin without an authenticator app or a passkey has to set one up before anything else works.',
    command: 'second-factor-required',
  },
  stepUpAbove: {
    title: 'A fresh second factor above an amount',
    does: 'Marking a claim above this amount Paid asks for a code or a passkey again. Admins without a second factor are not asked.',
    command: 'step-up-above',
  },
};

/** The rules with an amount. */
export type Amount = 'secondLookAbove' | 'stepUpAbove';
/** The rules that are only on or off. */
export type Switch = Exclude<Rule, Amount>;

const isAmount = (rule: Rule): rule is Amount =>
  rule === 'secondLookAbove' || rule === 'stepUpAbove';

/** How an amount is asked about, before the amount. */
const above: Record<Amount, string> = {
  secondLookAbove: 'A second person above',
  stepUpAbove: 'A fresh second factor above',
};

export const rules: readonly Rule[] = [
  'paidNeedsReference',
  'twoPersons',
  'secondLookAbove',
  'newPayeeNeedsSecondAdmin',
  'secondFactorRequired',
  'stepUpAbove',
];

export const commandFor = (rule: Rule, setting: string) =>
  `countinghouse policy set ${ruleTexts[rule].command} ${setting}`;

export const isOn = (policy: Policy, rule: Rule) =>
  isAmount(rule) ? policy[rule] !== null : policy[rule];

/** The current setting of a rule, e.g. "On" or "On above ₹50,000.00". */
export function settingText(policy: Policy, rule: Rule): string {
  if (!isOn(policy, rule)) return 'Off';
  const amount = isAmount(rule) ? policy[rule] : null;
  return amount === null ? 'On' : `On above ${formatRupees(amount)}`;
}

export function questionOf(wish: PolicyWish): { rule: Rule; question: string; confirm: string } {
  for (const rule of rules.filter(isAmount)) {
    const wanted = wish[rule];
    if (wanted === undefined || wanted === null) continue;
    const amount = formatRupees(Number(wanted));
    return { rule, question: `${above[rule]} ${amount}?`, confirm: `Set to ${amount}` };
  }
  const rule = rules.find((name) => wish[name]) ?? 'paidNeedsReference';
  return { rule, question: `Turn on “${ruleTexts[rule].title}”?`, confirm: 'Turn on' };
}
