import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { type PolicyWish, policyOptions, tightenPolicy } from '../../entities/policy/policy';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import { AmountRule } from './AmountRule';
import { BankCodes } from './BankCodes';
import { rules } from './ruleTexts';
import styles from './Settings.module.css';
import { SwitchRule } from './SwitchRule';
import { TightenDialog } from './TightenDialog';

/** The rules for all admins. They can only be made stricter here. */
export default function SettingsScreen({ title }: { title: string }) {
  const client = useQueryClient();
  const { data: policy, error, isFetching, refetch } = useQuery(policyOptions);
  const [wish, setWish] = useState<PolicyWish | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const close = () => {
    setWish(null);
    setProblem(undefined);
  };
  const tighten = async (wanted: PolicyWish) => {
    setIsBusy(true);
    setProblem(undefined);
    try {
      client.setQueryData(policyOptions.queryKey, await tightenPolicy(wanted));
      close();
    } catch (failure) {
      setProblem(sentenceOf(failure));
      // Another admin may have been first, or only the response was lost.
      void refetch();
    }
    setIsBusy(false);
  };

  return (
    <Page title={title} scroll="document">
      <div className={styles.settings}>
        <p className={styles.intro}>
          Rules for all admins, enforced by the server at every move. Any admin can make them
          stricter; only the operator can loosen them.
        </p>
        {error && !policy && (
          <Alert
            tone="bad"
            action={
              <Button aria-busy={isFetching} onClick={() => void refetch()}>
                Retry
              </Button>
            }
          >
            <p>The settings could not be loaded.</p>
            <p>{sentenceOf(error)}</p>
          </Alert>
        )}
        {policy ? (
          <div className={styles.rules}>
            <SwitchRule policy={policy} rule="paidNeedsReference" onWish={setWish} />
            <SwitchRule policy={policy} rule="twoPersons" onWish={setWish} />
            <AmountRule policy={policy} onWish={setWish} />
            <SwitchRule policy={policy} rule="newPayeeNeedsSecondAdmin" onWish={setWish} />
          </div>
        ) : (
          !error && <RulesSkeleton />
        )}
        <BankCodes />
      </div>
      {wish && (
        <TightenDialog
          wish={wish}
          isBusy={isBusy}
          problem={problem}
          onConfirm={() => void tighten(wish)}
          onCancel={close}
        />
      )}
    </Page>
  );
}

function RulesSkeleton() {
  return (
    <div className={styles.rules} role="status" aria-label="Loading the settings…">
      {rules.map((rule) => (
        <div key={rule} className={styles.rule} aria-hidden="true">
          <div className={styles.bars}>
            <Skeleton width="220px" />
            <Skeleton width="80%" />
          </div>
        </div>
      ))}
    </div>
  );
}
