import { useState } from 'react';
import { useList } from '../../api/pagedList';
import { type AdminRow, adminsOptions, type Role, roleNames } from '../../entities/admin/admin';
import { Button } from '../../ui/Button';
import { SecretDialog } from '../../ui/dialog/SecretDialog';
import { Page } from '../../ui/page/Page';
import { Menu, type MenuItem } from '../../ui/popover/Menu';
import { ShortList } from '../../ui/table/ShortList';
import { formatMoment } from '../../ui/text/dates';
import { AdminQuestion, type Question } from './AdminQuestion';
import {
  changeRole,
  disableAdmin,
  enableAdmin,
  type Invitation,
  resetAdmin,
  resetFactors,
  withdrawInvitation,
} from './adminActions';
import { adminColumns } from './adminColumns';
import { InviteDialog } from './InviteDialog';

/** Who may use the desk, and as what. */
export default function AdminsScreen({ title }: { title: string }) {
  const list = useList(adminsOptions);
  const [isInviting, setIsInviting] = useState(false);
  const [made, setMade] = useState<Invitation | null>(null);
  const [more, setMore] = useState<{ admin: AdminRow; anchor: HTMLElement } | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);

  return (
    <Page title={title} scroll="document">
      <ShortList
        nouns="admins"
        list={list}
        columns={adminColumns((admin, anchor) => setMore({ admin, anchor }))}
        intro="A role says what an admin may do. The server checks it at every request; a changed role ends the admin's sessions."
        beginning="Invite the first one."
        add={
          <Button needs="admins.manage" onClick={() => setIsInviting(true)}>
            Invite
          </Button>
        }
      />
      {more && (
        <Menu
          label={`More for ${more.admin.username}`}
          anchor={more.anchor}
          items={itemsFor(more.admin, setQuestion)}
          onClose={() => setMore(null)}
        />
      )}
      {isInviting && (
        <InviteDialog
          onInvited={(invitation) => {
            setIsInviting(false);
            setMade(invitation);
          }}
          onClose={() => setIsInviting(false)}
        />
      )}
      {question && (
        <AdminQuestion
          question={question}
          onDone={(invitation) => {
            setQuestion(null);
            setMade(invitation ?? null);
          }}
          onClose={() => setQuestion(null)}
        />
      )}
      {made && <LinkMade made={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

const roles = Object.keys(roleNames) as Role[];

function itemsFor(admin: AdminRow, ask: (question: Question) => void): MenuItem[] {
  const { _id: id, username, role, state } = admin;
  const item = (label: string, question: Question): MenuItem => ({
    label,
    onChoose: () => ask(question),
  });
  if (state === 'invited') {
    return [
      item('Withdraw invitation…', {
        title: `Withdraw the invitation of ${username}?`,
        explains: 'The link stops working at once.',
        label: 'Withdraw',
        run: () => withdrawInvitation(username),
      }),
    ];
  }
  if (state === 'disabled') {
    return [
      item('Enable…', {
        title: `Let ${username} log in again?`,
        explains: `With the old password, as ${roleNames[role]}.`,
        label: 'Enable',
        run: () => enableAdmin(id),
      }),
    ];
  }
  return [
    ...roles
      .filter((other) => other !== role)
      .map((other) =>
        item(`Make ${roleNames[other]}…`, {
          title: `Make ${username} ${roleNames[other]}?`,
          explains: `Their role is ${roleNames[role]}. Their sessions end at once.`,
          label: `Make ${roleNames[other]}`,
          run: () => changeRole(id, other),
        }),
      ),
    item('Password link…', {
      title: `Make a link for a new password of ${username}?`,
      explains: 'Anyone with the link can set the password. The old one works until then.',
      label: 'Make link',
      run: () => resetAdmin(id),
    }),
    item('Reset second factors…', {
      title: `Remove the second factors of ${username}?`,
      explains:
        'After a lost phone or key. They log in with the password alone, then set up others.',
      label: 'Remove',
      isGrave: true,
      run: () => resetFactors(id),
    }),
    item('Disable…', {
      title: `Stop ${username} from logging in?`,
      explains: 'Their sessions end at once. What they did stays in the audit log.',
      label: 'Disable',
      isGrave: true,
      run: () => disableAdmin(id),
    }),
  ];
}

function LinkMade({ made, onClose }: { made: Invitation; onClose: () => void }) {
  const { username, link, expiresAt } = made;
  return (
    <SecretDialog
      title={`The link for ${username}`}
      what="link"
      secret={new URL(link, window.location.origin).href}
      closeLabel="I have copied it"
      onClose={onClose}
    >
      <p>
        {`Send it to ${username} only. It works once, until ${formatMoment(expiresAt)}, and cannot be shown again.`}
      </p>
    </SecretDialog>
  );
}
