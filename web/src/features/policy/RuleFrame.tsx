import type { ReactNode } from 'react';
import { formatMoment } from '../../ui/dates';
import { StatusLabel } from '../../ui/StatusLabel';
import type { Policy, Rule } from './policyQuery';
import { commandFor, isOn, ruleWords, standingOf } from './ruleWords';
import styles from './Settings.module.css';

interface RuleFrameProps {
  policy: Policy;
  rule: Rule;
  /** Names the rule for its control. */
  id: string;
  /** Stands at the right edge. */
  control: ReactNode;
  /** The settings that only the operator can go to, in words and as the command has them. */
  looser: readonly { words: string; setting: string }[];
  children?: ReactNode;
}

/** One rule: what it does, how it stands, who set it, and what it takes to loosen it. */
export function RuleFrame({ policy, rule, id, control, looser, children }: RuleFrameProps) {
  const set = policy.changes.find((change) => change.rule === rule);
  const { title, does } = ruleWords[rule];
  return (
    <section className={styles.rule} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <StatusLabel tone={isOn(policy, rule) ? 'done' : 'off'}>
            {standingOf(policy, rule)}
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
