import { useId } from 'react';
import type { Policy, PolicyWish } from '../../entities/policy/policy';
import { RuleFrame } from './RuleFrame';
import type { Switch } from './ruleTexts';
import styles from './Settings.module.css';

interface SwitchRuleProps {
  policy: Policy;
  rule: Switch;
  onWish: (wish: PolicyWish) => void;
}

export function SwitchRule({ policy, rule, onWish }: SwitchRuleProps) {
  const id = useId();
  const isOn = policy[rule];
  return (
    <RuleFrame
      policy={policy}
      rule={rule}
      id={id}
      looser={[{ words: 'Only the operator can turn it off, on the server:', setting: 'off' }]}
      control={
        <button
          type="button"
          role="switch"
          aria-checked={isOn}
          // Not disabled, so that it stays focusable: the text below says how to turn it off.
          aria-disabled={isOn || undefined}
          aria-labelledby={id}
          aria-describedby={`${id}-does`}
          className={styles.switch}
          onClick={() => {
            if (!isOn) onWish({ [rule]: true });
          }}
        />
      }
    />
  );
}
