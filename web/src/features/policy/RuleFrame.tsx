import type { ReactNode } from 'react';
import type { Policy, Rule } from '../../entities/policy/policy';
import { formatMoment } from '../../ui/dates';
import { StatusLabel } from '../../ui/StatusLabel';
import { commandFor, isOn, ruleTexts, settingText } from './ruleTexts';
import styles from './Settings.module.css';

interface RuleFrameProps {
  policy: Policy;
  rule: Rule;
  /** The id of the rule's name, which labels the control. */
  id: string;
  /** Shown at the right edge. */
  control: ReactNode;
  /** The looser settings that only the operator can choose: in words, and as the command takes them. */
  looser: readonly { words: string; setting: string }[];
  children?: ReactNode;
}

/** One rule: what it does, its current setting, who set it, and how to loosen it. */
export function RuleFrame({ policy, rule, id, control, looser, children }: RuleFrameProps) {
  const set = policy.changes.find((change) => change.rule === rule);
  const { title, does } = ruleTexts[rule];
  return (
    <section className={styles.rule} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <StatusLabel tone={isOn(policy, rule) ? 'done' : 'off'}>
            {settingText(policy, rule)}
          </StatusLabel>
        </div>
        {control}
      </div>
      <p id={`${id}-does`} className={styles.does}>
        {does}
      </p>
      {set && <p className={styles.set}>{`Set by ${set.by} on ${formatMoment(set.at)}.`}</p>}
      {children}
      {isOn(policy, rule) &&
        looser.map(({ words, setting }) => {
          const command = commandFor(rule, setting);
          return (
            <div key={setting} className={styles.looser}>
              <p>{words}</p>
              <code className={styles.code}>{command}</code>
            </div>
          );
        })}
    </section>
  );
}
