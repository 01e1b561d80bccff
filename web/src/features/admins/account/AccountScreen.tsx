import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReading } from '../../../api/pagedList';
import { accountOptions } from '../../../entities/admin/account';
import { Alert, Lines, LoadTrouble } from '../../../ui/notices/Alert';
import { Page } from '../../../ui/page/Page';
import styles from './Account.module.css';
import { AppSection } from './AppSection';
import { OwnActivity } from './OwnActivity';
import { OwnSessions } from './OwnSessions';
import { Passkeys } from './Passkeys';
import { PasswordSection } from './PasswordSection';
import { RecoveryCodes } from './RecoveryCodes';
import { RecoverySection } from './RecoverySection';

/** The password, second factors, sessions and recent activity of the admin who is signed in. */
export default function AccountScreen({ title }: { title: string }) {
  const client = useQueryClient();
  const reading = useReading(accountOptions);
  const { data: account } = reading;
  const [codes, setCodes] = useState<readonly string[]>([]);

  /** After a change: other sessions have ended too. */
  const changed = (made: readonly string[] = []) => {
    setCodes(made);
    void client.invalidateQueries({ queryKey: accountOptions.queryKey });
  };
  // What is wrong with it is said once, at the top.
  const said = { ...reading, failure: undefined, isHeldUp: false };
  const hasFactor = account !== undefined && (account.hasTotp || account.passkeys.length > 0);

  return (
    <Page title={title} scroll="document">
      <div className={styles.account}>
        {account?.isFactorRequired && !hasFactor && (
          <Alert tone="plain">
            <Lines
              lines={[
                'This desk requires a second factor.',
                'Set up an authenticator app or a passkey. Until then nothing else works.',
              ]}
            />
          </Alert>
        )}
        <LoadTrouble what="Your account" isLoaded={account !== undefined} reading={reading} />
        <div className="card">
          <PasswordSection onChanged={changed} />
          {account && <AppSection hasApp={account.hasTotp} onChanged={changed} />}
          {account && hasFactor && (
            <RecoverySection left={account.recoveryCodesLeft} onChanged={changed} />
          )}
        </div>
        {(account || reading.failure === undefined) && (
          <Passkeys list={{ ...said, rows: account?.passkeys }} onChanged={changed} />
        )}
        <OwnSessions />
        <OwnActivity />
      </div>
      {codes.length > 0 && <RecoveryCodes codes={codes} onClose={() => setCodes([])} />}
    </Page>
  );
}
