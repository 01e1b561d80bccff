import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { isOutcomeUnknown, sentenceOf } from '../../api/errors';
import { useReading } from '../../api/pagedList';
import { type PolicyWish, policyOptions, tightenPolicy } from '../../entities/policy/policy';
import { Dialog } from '../../ui/dialog/Dialog';
import { Alert, Lines, LoadTrouble } from '../../ui/notices/Alert';
import { Page } from '../../ui/page/Page';
import { formatDate } from '../../ui/text/dates';
import { formatCount } from '../../ui/text/rupees';
import { Skeleton } from '../../ui/text/Skeleton';
import { AmountRule, SwitchRule } from './Rules';
import { commandFor, questionOf, rules, ruleTexts } from './ruleTexts';
import styles from './Settings.module.css';

/** The rules for all admins. They can only be made stricter here. */
export default function SettingsScreen({ title }: { title: string }) {
  const client = useQueryClient();
  const reading = useReading(policyOptions);
  const { data: policy, error, reload } = reading;
  const [wish, setWish] = useState<PolicyWish | null>(null);
  const tightening = useMutation({
    mutationFn: tightenPolicy,
    onSuccess: (tightened) => {
      client.setQueryData(policyOptions.queryKey, tightened);
      setWish(null);
    },
    // Another admin may have been first, or only the response was lost.
    onError: reload,
  });
  const ask = (wanted: PolicyWish | null) => {
    tightening.reset();
    setWish(wanted);
  };

  return (
    <Page title={title} scroll="document">
      <div className={styles.settings}>
        <p className="quiet">
          These rules apply to every admin. An owner can make them stricter; only the operator can
          relax them.
        </p>
        <LoadTrouble what="The settings" isLoaded={policy !== undefined} reading={reading} />
        {policy ? (
          <div className="card">
            <SwitchRule policy={policy} rule="paidNeedsReference" onWish={ask} />
            <SwitchRule policy={policy} rule="twoPersons" onWish={ask} />
            <AmountRule policy={policy} rule="secondLookAbove" onWish={ask} />
            <SwitchRule policy={policy} rule="newPayeeNeedsSecondAdmin" onWish={ask} />
            <SwitchRule policy={policy} rule="secondFactorRequired" onWish={ask} />
            <AmountRule policy={policy} rule="stepUpAbove" onWish={ask} />
          </div>
        ) : (
          !error && <RulesSkeleton />
        )}
        <BankCodes />
      </div>
      {wish && (
        <TightenDialog
          wish={wish}
          isBusy={tightening.isPending}
          problem={tightening.error}
          onConfirm={() => tightening.mutate(wish)}
          onCancel={() => ask(null)}
        />
      )}
    </Page>
  );
}

function RulesSkeleton() {
  return (
    <div className="card" role="status" aria-label="Loading the settings…">
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

interface TightenDialogProps {
  wish: PolicyWish;
  isBusy: boolean;
  problem: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks first, because no admin can relax a rule that was made stricter. */
function TightenDialog({ wish, isBusy, problem, onConfirm, onCancel }: TightenDialogProps) {
  const { rule, question, confirm } = questionOf(wish);
  const failed = isOutcomeUnknown(problem)
    ? 'It is not certain whether it was set.'
    : 'It was not set.';
  return (
    <Dialog
      title={question}
      confirm={{ label: confirm, isGrave: true, isBusy, onConfirm }}
      onClose={onCancel}
      fields={
        problem && (
          <div className={styles.problem}>
            <Alert tone="bad">
              <Lines lines={[failed, sentenceOf(problem)]} />
            </Alert>
          </div>
        )
      }
    >
      <p>{ruleTexts[rule].does}</p>
      <p>It applies to all admins at once. To relax it, run on the server:</p>
      <code className={styles.code}>{commandFor(rule, 'off')}</code>
    </Dialog>
  );
}

/** The version of the bank code data that the app uses, and how to update it. */
function BankCodes() {
  const { data, isError } = useQuery(banksOptions);
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className={styles.rule}>
        <h2 id={id} className="heading">
          Bank codes
        </h2>
        <p className={styles.does}>
          {data
            ? `${formatCount(data.codes)} IFSC codes of ${formatCount(data.banks)} banks: version ${data.dataVersion}, fetched on ${formatDate(data.fetchedOn)}.`
            : isError
              ? 'The version of the bank code list could not be loaded.'
              : 'Reading the version…'}
        </p>
        <div className={styles.looser}>
          <p>
            They name the bank under each IFSC and mark codes that no branch has. The operator
            fetches newer ones with:
          </p>
          <code className={styles.code}>scripts/refresh_bank_codes</code>
        </div>
      </div>
    </section>
  );
}

const banksOptions = queryOptions({
  queryKey: ['banks'],
  queryFn: ({ signal }) => dataOf<Schemas['BankData']>(api.GET('/api/banks', { signal })),
  // Changes only with the version of the server.
  staleTime: 3_600_000,
});
