import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react';
import type { Policy, PolicyWish, Rule } from '../../entities/policy/policy';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/form/Field';
import { useMay } from '../../ui/may';
import { formatMoment } from '../../ui/text/dates';
import { formatRupees } from '../../ui/text/rupees';
import { StatusLabel } from '../../ui/text/StatusLabel';
import { type Amount, commandFor, isOn, ruleTexts, type Switch, settingText } from './ruleTexts';
import styles from './Settings.module.css';

interface RuleProps {
  policy: Policy;
  onWish: (wish: PolicyWish) => void;
}

export function SwitchRule({ policy, rule, onWish }: RuleProps & { rule: Switch }) {
  const id = useId();
  const may = useMay();
  const isOn = policy[rule];
  return (
    <RuleFrame
      policy={policy}
      rule={rule}
      id={id}
      looser={[{ words: 'To turn it off, run on the server:', setting: 'off' }]}
      control={
        <button
          type="button"
          role="switch"
          aria-checked={isOn}
          // Not disabled, so that it stays focusable: the text below says how to turn it off.
          aria-disabled={isOn || !may('policy.change') || undefined}
          aria-labelledby={id}
          aria-describedby={`${id}-does`}
          className={styles.switch}
          onClick={() => {
            if (!isOn && may('policy.change')) onWish({ [rule]: true });
          }}
        />
      }
    />
  );
}

/** Whole rupees, or rupees with paise. */
const isAmount = (text: string) => /^\d{1,11}(\.\d{1,2})?$/.test(text);

export function AmountRule({ policy, rule, onWish }: RuleProps & { rule: Amount }) {
  const id = useId();
  const now = policy[rule];
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  // The typed amount has been saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new setting clears the field
  useEffect(() => setText(''), [now]);

  const set = (event: FormEvent) => {
    event.preventDefault();
    const written = text.replace(/[,\s₹]/g, '');
    if (!isAmount(written)) setProblem('Enter an amount in rupees, such as 50000.');
    else if (now !== null && Number(written) >= now) {
      setProblem(`Here it can only be set lower than ${formatRupees(now)}.`);
    } else onWish({ [rule]: Number(written) });
  };

  return (
    <RuleFrame
      policy={policy}
      rule={rule}
      id={id}
      control={null}
      looser={[
        { words: 'To set a higher amount, run on the server:', setting: 'AMOUNT' },
        { words: 'or turn it off:', setting: 'off' },
      ]}
    >
      <form className={styles.amount} noValidate aria-labelledby={id} onSubmit={set}>
        <Field
          label={now === null ? 'Amount in ₹' : 'Lower amount in ₹'}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          value={text}
          invalid={problem !== undefined}
          aria-describedby={problem && `${id}-wrong`}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" needs="policy.change">
          Set…
        </Button>
      </form>
      {problem && (
        <p id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {problem}
        </p>
      )}
    </RuleFrame>
  );
}

interface RuleFrameProps {
  policy: Policy;
  rule: Rule;
  /** The id of the rule's name, which labels the control. */
  id: string;
  control: ReactNode;
  /** The looser settings that only the operator can choose: in words, and as the command takes them. */
  looser: readonly { words: string; setting: string }[];
  children?: ReactNode;
}

/** One rule: what it does, its current setting, who set it, and how to loosen it. */
function RuleFrame({ policy, rule, id, control, looser, children }: RuleFrameProps) {
  const set = policy.changes.find((change) => change.rule === rule);
  const { title, does } = ruleTexts[rule];
  return (
    <section className={styles.rule} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.name}>
          <h2 id={id} className="heading">
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
      {set && <p className="small quiet">{`Set by ${set.by} on ${formatMoment(set.at)}.`}</p>}
      {children}
      {isOn(policy, rule) &&
        looser.map(({ words, setting }) => (
          <div key={setting} className={styles.looser}>
            <p>{words}</p>
            <code className={styles.code}>{commandFor(rule, setting)}</code>
          </div>
        ))}
    </section>
  );
}
