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
};

/** The rules that are only on or off. */
export type Switch = Exclude<Rule, 'secondLookAbove'>;

export const rules: readonly Rule[] = [
  'paidNeedsReference',
  'twoPersons',
  'secondLookAbove',
  'newPayeeNeedsSecondAdmin',
];

export const commandFor = (rule: Rule, setting: string) =>
  `countinghouse policy set ${ruleTexts[rule].command} ${setting}`;

export const isOn = (policy: Policy, rule: Rule) =>
  rule === 'secondLookAbove' ? policy.secondLookAbove !== null : policy[rule];

/** The current setting of a rule, e.g. "On" or "On above ₹50,000.00". */
export function settingText(policy: Policy, rule: Rule): string {
  if (!isOn(policy, rule)) return 'Off';
  const above = rule === 'secondLookAbove' ? policy.secondLookAbove : null;
  return above === null ? 'On' : `On above ${formatRupees(above)}`;
}

export function questionOf(wish: PolicyWish): { rule: Rule; question: string; confirm: string } {
  if (wish.secondLookAbove !== undefined && wish.secondLookAbove !== null) {
    const amount = formatRupees(Number(wish.secondLookAbove));
    return {
      rule: 'secondLookAbove',
      question: `A second person above ${amount}?`,
      confirm: `Set to ${amount}`,
    };
  }
  const rule = rules.find((name) => wish[name]) ?? 'paidNeedsReference';
  return { rule, question: `Turn on “${ruleTexts[rule].title}”?`, confirm: 'Turn on' };
}
