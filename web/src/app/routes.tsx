import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type ListSource, pageOptions, type WithId } from '../api/pages';
import type { RowTasks } from '../api/rowTasks';
import { may } from '../api/session';
import { accountOptions } from '../entities/admin/account';
import { adminsOptions } from '../entities/admin/admin';
import { auditList } from '../entities/audit/audit';
import { claimList, claimTasks } from '../entities/claim/claim';
import { clientOptions } from '../entities/client/client';
import { daysNow, homeOptions } from '../entities/home/home';
import { keysOptions } from '../entities/key/key';
import { policyOptions } from '../entities/policy/policy';
import { purchaseList } from '../entities/purchase/purchase';
import { qrQuery, qrTasks } from '../entities/qr/qr';
import { userList } from '../entities/user/user';
import { webhooksOptions } from '../entities/webhook/webhook';
import { auditView } from '../features/audit/auditView';
import { claimView } from '../features/claims/table/claimView';
import { purchaseView } from '../features/purchases/purchaseView';
import { userView } from '../features/users/userView';
import type { SavedView } from '../features/views/viewActions';
import {
  AuditIcon,
  HomeIcon,
  PurchasesIcon,
  QrIcon,
  SettingsIcon,
  UsersIcon,
  WithdrawIcon,
} from '../ui/icons/icons';
import { lazyFile } from '../ui/lazyFile';
import type { Notice } from '../ui/notices/Notices';
import { withoutRow } from '../ui/page/address';
import type { PageTab } from '../ui/page/Page';
import {
  accountPath,
  auditPath,
  claimsPath,
  clientPath,
  homePath,
  keysPath,
  purchasesPath,
  qrPath,
  receiptPath,
  settingsPath,
  statementPath,
  usersPath,
  webhooksPath,
} from '../ui/page/paths';
import { rowsQueryNow, type ViewSchema } from '../ui/table/filters/view';

export interface Route {
  /** Matched in upper and lower case. If it ends with `:id`, the last segment may be anything. */
  path: string;
  /** The heading of the screen and the title of the browser tab. */
  title: string;
  /** For people without a session. It is shown without the layout. */
  isOpen?: boolean;
  /** `countsReviews`: its link shows how many purchases need review. */
  menu?: { label: string; Icon: ComponentType; countsReviews?: boolean };
  /** Menus and tabs show it only to admins who have this permission. */
  permission?: string;
  /** Its label in the row of links that the pages of Settings share. */
  tab?: string;
  Screen: ComponentType<{ title: string }>;
  preload: () => Promise<void>;
  /** Starts the request that the first view waits for, with the same query options as the screen. */
  readFirst: (client: QueryClient, id: string) => Promise<void>;
  /** The name of its saved views, if admins can save some: the palette finds them. */
  views?: SavedView['screen'];
  /** Operations that continue on other screens. Their notices link back with these words. */
  work?: { notices: RowTasks<Notice>; linkText: string };
}

/**
 * The screens, in the order of the menu. The router, the side menu, the titles, the first requests, the notices of
 * other screens and the list of shortcuts derive from this table.
 */
export const routes: readonly Route[] = [
  {
    path: purchasesPath,
    title: 'Client Data',
    menu: { label: 'Data', Icon: PurchasesIcon, countsReviews: true },
    views: 'purchases',
    ...screen(() => import('../features/purchases/PurchasesScreen')),
    readFirst: firstPage(purchaseList, purchaseView),
  },
  {
    path: claimsPath,
    title: 'All Claim Requests',
    menu: { label: 'Withdraw', Icon: WithdrawIcon },
    views: 'claims',
    ...screen(() => import('../features/claims/ClaimsScreen')),
    readFirst: firstPage(claimList, claimView),
    work: { notices: claimTasks, linkText: 'Open All Claim Requests' },
  },
  {
    path: qrPath,
    title: 'QR Code Upload',
    menu: { label: 'QR', Icon: QrIcon },
    views: 'qr',
    ...screen(() => import('../features/qr/QrScreen')),
    readFirst: (client) => client.prefetchQuery(qrQuery),
    work: { notices: qrTasks, linkText: 'Open QR Table' },
  },
  {
    path: usersPath,
    title: 'Registered Users',
    menu: { label: 'User Registre Data', Icon: UsersIcon },
    views: 'users',
    ...screen(() => import('../features/users/UsersScreen')),
    readFirst: firstPage(userList, userView),
  },
  {
    path: homePath,
    title: 'Home',
    menu: { label: 'Home', Icon: HomeIcon },
    ...screen(() => import('../features/home/HomeScreen')),
    readFirst: (client) => client.prefetchQuery(homeOptions(daysNow())),
  },
  {
    path: auditPath,
    title: 'Audit Log',
    menu: { label: 'Audit', Icon: AuditIcon },
    permission: 'audit.read',
    views: 'audit',
    ...screen(() => import('../features/audit/AuditScreen')),
    readFirst: firstPage(auditList, auditView),
  },
  {
    path: settingsPath,
    title: 'Settings',
    menu: { label: 'Settings', Icon: SettingsIcon },
    tab: 'Policy',
    ...screen(() => import('../features/policy/SettingsScreen')),
    readFirst: (client) => client.prefetchQuery(policyOptions),
  },
  {
    path: '/Settings/Admins',
    permission: 'admins.read',
    title: 'Admins',
    tab: 'Admins',
    ...screen(() => import('../features/admins/AdminsScreen')),
    readFirst: (client) => client.prefetchQuery(adminsOptions),
  },
  {
    path: accountPath,
    title: 'My account',
    tab: 'My account',
    ...screen(() => import('../features/admins/account/AccountScreen')),
    readFirst: (client) => client.prefetchQuery(accountOptions),
  },
  {
    path: keysPath,
    permission: 'keys.read',
    title: 'Keys',
    tab: 'Keys',
    ...screen(() => import('../features/keys/KeysScreen')),
    readFirst: (client) => client.prefetchQuery(keysOptions),
  },
  {
    path: webhooksPath,
    permission: 'webhooks.read',
    title: 'Webhooks',
    tab: 'Webhooks',
    ...screen(() => import('../features/webhooks/WebhooksScreen')),
    readFirst: (client) => client.prefetchQuery(webhooksOptions),
  },
  {
    path: '/Settings/Import',
    permission: 'imports.read',
    title: 'Import',
    tab: 'Import',
    ...screen(() => import('../features/importing/ImportScreen')),
    readFirst: async () => undefined,
  },
  {
    path: '/Settings/Health',
    permission: 'health.read',
    title: 'Health',
    tab: 'Health',
    ...screen(() => import('../features/health/HealthScreen')),
    readFirst: async () => undefined,
  },
  {
    path: '/Invite',
    isOpen: true,
    title: 'Welcome',
    ...screen(() => import('../features/admins/EntranceScreen')),
    readFirst: async () => undefined,
  },
  {
    path: `${clientPath}/:id`,
    title: 'Client',
    ...screen(() => import('../features/clients/ClientScreen')),
    readFirst: (client, id) => client.prefetchQuery(clientOptions(id)),
  },
  {
    path: receiptPath,
    title: 'Receipt',
    ...screen(() => import('../features/papers/PaperScreen')),
    readFirst: async () => undefined,
  },
  {
    path: statementPath,
    title: 'Statement',
    ...screen(() => import('../features/papers/PaperScreen')),
    readFirst: async () => undefined,
  },
];

export const loginPath = '/';
const firstScreen = purchasesPath;

export const routeAt = (pathname: string) => routes.find(({ path }) => isAt(pathname, path));

export function isAt(pathname: string, path: string): boolean {
  const here = withoutRow(pathname).toLowerCase().replace(/\/$/, '');
  const [folder = '', id] = path.toLowerCase().split(':');
  if (id === undefined) return here === folder;
  return here.startsWith(folder) && /^[^/]+$/.test(here.slice(folder.length));
}

/** Whether the location is a page below this path. */
export const isWithin = (pathname: string, path: string) =>
  pathname.toLowerCase().startsWith(`${path.toLowerCase()}/`);

/** The pages that share a row of links with the current one, or none. */
export function tabsAt(pathname: string, troubles: Readonly<Record<string, string>>): PageTab[] {
  if (!routeAt(pathname)?.tab) return [];
  return routes.flatMap(({ path, permission, tab: label }) =>
    label && (!permission || may(permission))
      ? [{ path, label, isHere: isAt(pathname, path), trouble: troubles[path] ?? '' }]
      : [],
  );
}

/** A remembered address, if it is a screen of this app; otherwise the first screen. */
export function screenOr(address: string | null): string {
  const [pathname = ''] = (address ?? '').split('?');
  return address && routeAt(pathname) ? address : firstScreen;
}

/** The login has a file of its own, because admins who are signed in do not need it. */
export const login = screen(() => import('../features/admins/EntranceScreen'));

/** One file per screen, which contains everything that can be done there. */
function screen<Props extends object>(load: Parameters<typeof lazyFile<Props>>[0]) {
  const { Component: Screen, preload } = lazyFile(load);
  return { Screen, preload };
}

/** The first page of a list, as the URL filters and sorts it. */
function firstPage<Row extends WithId>(
  source: ListSource<Row>,
  schema: ViewSchema,
): Route['readFirst'] {
  return (client) => client.prefetchQuery(pageOptions(client, source, rowsQueryNow(schema), 0));
}
