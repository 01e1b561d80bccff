import type { QueryClient } from '@tanstack/react-query';
import { type ComponentType, lazy } from 'react';
import { type ListSource, pageOptions, type WithId } from '../api/pages';
import type { RowTasks } from '../api/rowTasks';
import { claimList, claimTasks } from '../entities/claim/claim';
import { clientOptions } from '../entities/client/client';
import { importsOptions } from '../entities/import/import';
import { keysOptions } from '../entities/key/key';
import { policyOptions } from '../entities/policy/policy';
import { purchaseList } from '../entities/purchase/purchase';
import { qrQuery, qrTasks } from '../entities/qr/qr';
import { userList } from '../entities/user/user';
import { webhooksOptions } from '../entities/webhook/webhook';
import { claimKeys } from '../features/claims/moves/actions';
import { claimView } from '../features/claims/table/claimView';
import { purchaseView } from '../features/purchases/purchaseView';
import { userView } from '../features/users/userView';
import type { KeyGroup } from '../ui/dialog/KeyboardHelp';
import { PurchasesIcon, QrIcon, SettingsIcon, UsersIcon, WithdrawIcon } from '../ui/icons/icons';
import type { Notice } from '../ui/notices/Notices';
import type { PageTab } from '../ui/page/Page';
import { queryNow, type ViewSchema } from '../ui/table/filters/view';

export interface Route {
  /** Matched in upper and lower case. If it ends with `:id`, the last segment may be anything. */
  path: string;
  /** The heading of the screen and the title of the browser tab. */
  title: string;
  menu?: { label: string; Icon: ComponentType };
  /** Its label in the row of links that the pages of Settings share. */
  tab?: string;
  Screen: ComponentType<{ title: string }>;
  preload: () => Promise<void>;
  /** Starts the request that the first view waits for, with the same query options as the screen. */
  readFirst: (client: QueryClient, id: string) => Promise<void>;
  /** Keyboard shortcuts of this screen only. */
  keys?: KeyGroup;
  /** Operations that continue on other screens. Their notices link back with these words. */
  work?: { notices: RowTasks<Notice>; linkText: string };
}

/**
 * The screens, in the order of the menu. The router, the side menu, the titles, the first requests, the notices of
 * other screens and the list of shortcuts derive from this table.
 */
export const routes: readonly Route[] = [
  {
    path: '/Data',
    title: 'Client Data',
    menu: { label: 'Data', Icon: PurchasesIcon },
    ...screen(() => import('../features/purchases/PurchasesScreen')),
    readFirst: firstPage(purchaseList, purchaseView),
  },
  {
    path: '/Withdraw',
    title: 'All Claim Requests',
    menu: { label: 'Withdraw', Icon: WithdrawIcon },
    ...screen(() => import('../features/claims/ClaimsScreen')),
    readFirst: firstPage(claimList, claimView),
    keys: claimKeys,
    work: { notices: claimTasks, linkText: 'Open All Claim Requests' },
  },
  {
    path: '/QR',
    title: 'QR Code Upload',
    menu: { label: 'QR', Icon: QrIcon },
    ...screen(() => import('../features/qr/QrScreen')),
    readFirst: (client) => client.prefetchQuery(qrQuery),
    work: { notices: qrTasks, linkText: 'Open QR Table' },
  },
  {
    path: '/reg',
    title: 'Registered Users',
    menu: { label: 'User Registre Data', Icon: UsersIcon },
    ...screen(() => import('../features/users/UsersScreen')),
    readFirst: firstPage(userList, userView),
  },
  {
    path: '/Settings',
    title: 'Settings',
    menu: { label: 'Settings', Icon: SettingsIcon },
    tab: 'Policy',
    ...screen(() => import('../features/policy/SettingsScreen')),
    readFirst: (client) => client.prefetchQuery(policyOptions),
  },
  {
    path: '/Settings/Keys',
    title: 'Keys',
    tab: 'Keys',
    ...screen(() => import('../features/keys/KeysScreen')),
    readFirst: (client) => client.prefetchQuery(keysOptions),
  },
  {
    path: '/Settings/Webhooks',
    title: 'Webhooks',
    tab: 'Webhooks',
    ...screen(() => import('../features/webhooks/WebhooksScreen')),
    readFirst: (client) => client.prefetchQuery(webhooksOptions),
  },
  {
    path: '/Settings/Import',
    title: 'Import',
    tab: 'Import',
    ...screen(() => import('../features/importing/ImportScreen')),
    readFirst: (client) => client.prefetchQuery(importsOptions),
  },
  {
    path: '/client/:id',
    title: 'Client',
    ...screen(() => import('../features/clients/ClientScreen')),
    readFirst: (client, id) => client.prefetchQuery(clientOptions(id)),
  },
];

export const loginPath = '/';
const firstScreen = '/Data';

export const routeAt = (pathname: string) => routes.find(({ path }) => isAt(pathname, path));

export function isAt(pathname: string, path: string): boolean {
  const here = pathname.toLowerCase().replace(/\/$/, '');
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
  return routes.flatMap(({ path, tab: label }) =>
    label ? [{ path, label, isHere: isAt(pathname, path), trouble: troubles[path] ?? '' }] : [],
  );
}

/** A remembered address, if it is a screen of this app; otherwise the first screen. */
export function screenOr(address: string | null): string {
  const [pathname = ''] = (address ?? '').split('?');
  return address && routeAt(pathname) ? address : firstScreen;
}

interface ScreenFile {
  default: ComponentType<{ title: string }>;
}

/** One file per screen, which contains everything that can be done there. */
function screen(load: () => Promise<ScreenFile>): Pick<Route, 'Screen' | 'preload'> {
  let loaded: ScreenFile | undefined;
  return {
    // `lazy` renders a fulfilled thenable at once. For a promise it shows the fallback, which React keeps for 300 ms.
    Screen: lazy(() => {
      const file = loaded;
      if (!file) return load();
      // biome-ignore lint/suspicious/noThenProperty: React accepts any thenable here
      return { then: (done: (file: ScreenFile) => void) => done(file) } as Promise<ScreenFile>;
    }),
    preload: async () => {
      loaded = await load();
    },
  };
}

/** The first page of a list, as the URL filters and sorts it. */
function firstPage<Row extends WithId>(
  source: ListSource<Row>,
  schema: ViewSchema,
): Route['readFirst'] {
  return (client) => client.prefetchQuery(pageOptions(client, source, queryNow(schema), 0));
}
