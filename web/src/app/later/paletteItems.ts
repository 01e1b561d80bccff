import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { may } from '../../api/session';
import type { Claim } from '../../entities/claim/claim';
import type { Purchase } from '../../entities/purchase/purchase';
import { qrQuery } from '../../entities/qr/qr';
import type { User } from '../../entities/user/user';
import { logOut } from '../../features/admins/logOut';
import { viewsQuery } from '../../features/views/viewActions';
import {
  accountPath,
  addressOfClient,
  claimsPath,
  purchasesPath,
  qrPath,
} from '../../ui/page/paths';
import { nameInText, shownName } from '../../ui/text/names';
import { formatRupees } from '../../ui/text/rupees';
import { routes } from '../routes';
import { otherTheme } from '../theme';

/** Something the palette can go to or do. */
export interface PaletteItem {
  key: string;
  kind: 'Claim' | 'Client' | 'Purchase' | 'QR code' | 'View' | 'Screen' | 'Action';
  label: string;
  detail?: string;
  /** The address to open, or what to do. */
  go: string | (() => void);
}

const most = 5;

/** What the server finds. It searches as the lists do: a claim also by its reference, a client also by mobile. */
export const foundOptions = (client: QueryClient, text: string) =>
  queryOptions({
    queryKey: ['palette', text],
    queryFn: async ({ signal }): Promise<PaletteItem[]> => {
      const params = { query: { q: text, limit: most } };
      const { letter, number } = numberIn(text);
      const byNumber = { params: { query: { number, limit: 1 } }, signal };
      const [numbered, bought, claims, users, codes, views] = await Promise.all([
        number && letter !== 'P' && letter !== 'Q'
          ? dataOf<Claim[]>(api.GET('/api/claims/all', byNumber))
          : [],
        letter === 'P' ? dataOf<Purchase[]>(api.GET('/api/purchases/all', byNumber)) : [],
        dataOf<Claim[]>(api.GET('/api/claims/all', { params, signal })),
        dataOf<User[]>(api.GET('/api/users', { params, signal })),
        client.fetchQuery({ ...qrQuery, staleTime: 60_000 }),
        findViews(client),
      ]);
      return [
        ...numbered.map(claimItem),
        ...bought.map(purchaseItem),
        // Then clients: a name or a mobile number finds all claims of its client too, a number or reference no client.
        ...users.map(userItem),
        ...claims.filter(({ _id }) => numbered[0]?._id !== _id).map(claimItem),
        ...codes
          .filter(
            (code) => code.number === `${letter}-${number}` || has(text, code.name, code.upiId),
          )
          .slice(0, most)
          .map(
            ({ _id, number, name, upiId }): PaletteItem => ({
              key: _id,
              kind: 'QR code',
              label: name,
              detail: upiId ?? '',
              go: `${qrPath}/${number}`,
            }),
          ),
        ...views.filter(({ label }) => has(text, label)).slice(0, most),
      ];
    },
    staleTime: 10_000,
  });

/** The saved views of the screens that the admin may open. */
async function findViews(client: QueryClient): Promise<PaletteItem[]> {
  const found = routes.map(async ({ path, permission, views }) => {
    if (!views || (permission && !may(permission))) return [];
    const saved = await client.fetchQuery(viewsQuery(views));
    return saved.map(
      ({ _id, name, search }): PaletteItem => ({
        key: _id,
        kind: 'View',
        label: name,
        go: `${path}?${search}`,
      }),
    );
  });
  return (await Promise.all(found)).flat();
}

/** The number that a text may be, such as C-10482, c10482 or 10482: the letter may be missing. */
function numberIn(text: string) {
  const [, letter = '', number = ''] = /^([CPQ]?)-?(\d{5,9})$/i.exec(text) ?? [];
  return { letter: letter.toUpperCase(), number };
}

const claimItem = (claim: Claim): PaletteItem => ({
  key: claim._id,
  kind: 'Claim',
  label: `${claim.number} · ${nameInText(claim.user)}`,
  detail: `${formatRupees(claim.amount)} · ${claim.status}`,
  go: `${claimsPath}/${claim.number}`,
});

const purchaseItem = (purchase: Purchase): PaletteItem => ({
  key: purchase._id,
  kind: 'Purchase',
  label: `${purchase.number} · ${nameInText(purchase.user)}`,
  detail: formatRupees(purchase.invest),
  go: `${purchasesPath}/${purchase.number}`,
});

const userItem = (user: User): PaletteItem => ({
  key: user._id,
  kind: 'Client',
  label: shownName(user),
  detail: user.mobile,
  go: addressOfClient(user._id),
});

/** Without spaces: “logout” finds Log out. */
const bare = (word: string) => word.toLowerCase().replace(/\s/g, '');

const has = (text: string, ...words: (string | null | undefined)[]) =>
  words.some((word) => word && bare(word).includes(bare(text)));

/** The screens that the admin may open, and the actions, whose names contain the text. */
export function ownItems(text: string, onKeys: () => void): PaletteItem[] {
  const screens = routes.flatMap(({ path, title, menu, tab, permission }): PaletteItem[] => {
    if ((!menu && !tab) || (permission && !may(permission))) return [];
    if (!has(text, title, menu?.label, tab)) return [];
    const label = menu?.label ?? title;
    return [
      { key: path, kind: 'Screen', label, ...(label !== title && { detail: title }), go: path },
    ];
  });
  return [...screens, ...actionsOf(onKeys).filter(({ label }) => has(text, label))];
}

const actionsOf = (onKeys: () => void): PaletteItem[] => {
  const theme = otherTheme();
  const act = (label: string, go: PaletteItem['go']): PaletteItem => ({
    key: label,
    kind: 'Action',
    label,
    go,
  });
  return [
    act(`Switch to ${theme.name} theme`, theme.choose),
    act('Show keyboard shortcuts', onKeys),
    act('Change password', accountPath),
    act('Log out', logOut),
  ];
};
