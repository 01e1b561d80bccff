import { type FormEvent, useEffect, useId, useState } from 'react';
import type { Policy, PolicyWish } from '../../entities/policy/policy';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { formatRupees } from '../../ui/rupees';
import { RuleFrame } from './RuleFrame';
import styles from './Settings.module.css';

interface AmountRuleProps {
  policy: Policy;
  onWish: (wish: PolicyWish) => void;
}

/** Whole rupees, or rupees with paise. */
const isAmount = (text: string) => /^\d{1,11}(\.\d{1,2})?$/.test(text);

export function AmountRule({ policy, onWish }: AmountRuleProps) {
  const id = useId();
  const { secondLookAbove: now } = policy;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  // The typed amount has been saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new setting clears the field
  useEffect(() => setText(''), [now]);

  const set = (event: FormEvent) => {
    event.preventDefault();
    const written = text.replace(/[,\s₹]/g, '');
    if (!isAmount(written)) setProblem('Write an amount in rupees, e.g. 50000.');
    else if (now !== null && Number(written) >= now) {
      setProblem(`Here it can only be set lower than ${formatRupees(now)}.`);
    } else onWish({ secondLookAbove: Number(written) });
  };

  return (
    <RuleFrame
      policy={policy}
      rule="secondLookAbove"
      id={id}
      control={null}
      looser={[
        { words: 'Only the operator can set a higher amount, on the server:', setting: 'AMOUNT' },
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
        <Button type="submit">Set…</Button>
      </form>
      {problem && (
        <p id={`${id}-wrong`} role="alert" className={styles.wrong}>
          {problem}
        </p>
      )}
    </RuleFrame>
  );
}
