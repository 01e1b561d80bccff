import type { Schemas } from '../api/client';
import { movesFrom } from './sampleMoves';

type Claim = Schemas['Claim'];
type QrCode = Schemas['QrCode'];

const rahul = { _id: 'u1', username: 'Rahul Nair', mobile: '09805756092' };
const sneha = { _id: 'u2', username: 'Sneha Sharma', mobile: '9878216267' };
const arjun = { _id: 'u3', username: 'Arjun Das', mobile: '9174881458' };

export const users: Schemas['User'][] = [
  { createdAt: '2026-09-21T10:12:00Z', ...sneha },
  { createdAt: '2026-02-03T10:12:00Z', ...rahul },
];

export const purchases: Schemas['Purchase'][] = [
  {
    _id: 'p1',
    number: 'P-10001',
    createdAt: '2026-09-21T10:12:00Z',
    user: rahul,
    invest: 100000,
    dailyIncome: 1500.5,
    upiId: '000723636150',
    claimType: 'Daily',
    qrName: 'Front desk',
    findings: [],
    ...{ isChecked: false, checkedBy: null, checkedAt: null, checkedNote: null },
  },
];

const bank = {
  accountNo: '00123456789',
  ifsc: 'HDFC0001234',
  bank: { name: 'HDFC Bank', note: '' },
  address: 'Kochi',
};

export const pending: Claim = {
  _id: 'c1',
  number: 'C-10001',
  createdAt: '2026-09-21T10:12:00Z',
  user: rahul,
  purchase: { invest: 5000 },
  amount: 7967.56,
  ...bank,
  status: 'Pending',
  version: 0,
  moves: movesFrom.Pending,
};
export const accepted: Claim = {
  ...pending,
  _id: 'c2',
  user: sneha,
  amount: 846424.2,
  status: 'Accepted',
  version: 1,
  moves: movesFrom.Accepted,
};
export const paid: Claim = {
  ...pending,
  _id: 'c3',
  user: arjun,
  amount: 12,
  status: 'Paid',
  version: 2,
  moves: movesFrom.Paid,
};
export const claims = [pending, accepted, paid];

/** The details that the server would return for a claim. */
export const detailsOf = (claim: Claim): Schemas['ClaimDetails'] => ({
  claim,
  timeline: [
    {
      number: 0,
      from: null,
      to: 'Pending',
      by: null,
      at: claim.createdAt,
      reason: null,
      reference: null,
    },
    {
      number: 1,
      from: 'Pending',
      to: 'On hold',
      by: 'ravi',
      at: '2026-09-22T08:00:00Z',
      reason: 'The name differs',
      reference: null,
    },
  ],
  purchases: {
    count: 31,
    items: [
      {
        number: 'P-10001',
        _id: 'p1',
        createdAt: '2026-09-01T10:12:00Z',
        invest: 5000,
        dailyIncome: 150,
        upiId: '000723636150',
        claimType: 'Daily',
        qrName: 'Front desk',
        findings: [],
        days: 20,
        earned: 3000,
      },
    ],
  },
  otherClaims: {
    count: 1,
    items: [
      {
        _id: 'c9',
        number: 'C-10002',
        createdAt: '2026-08-01T10:12:00Z',
        amount: 450,
        accountNo: '00999',
        ifsc: 'SBIN0000001',
        status: 'Returned',
      },
    ],
  },
  arithmetic: { earned: 3000, paid: 1000, inFlight: 2500.5, claimable: -500.5 },
  facts: [
    {
      id: 'first_payout:0',
      code: 'first_payout',
      sentence: 'Nothing was ever paid to this account.',
    },
  ],
  blocked: [],
});

const readAs = (payee: string) => ({
  uploadedBy: 'ravi',
  reading: {
    payee,
    payeeName: 'Acme Traders',
    sentence: `This code pays ${payee}, Acme Traders.`,
    findings: [],
  },
  canDisplay: true,
  confirmBy: null,
  confirmNote: '',
  confirmed: null,
  isDrawn: true,
  displayRequest: null,
  displayBy: 'now' as const,
  displayNote: '',
  approvers: [],
});

export const qrCodes: QrCode[] = [
  {
    _id: 'q1',
    number: 'Q-10001',
    createdAt: '2026-09-21T10:12:00Z',
    name: 'Front desk',
    upiId: 'front@okaxis',
    qrImage: 'http://desk.test/qr-images/q1.png',
    uploadedImage: 'http://desk.test/qr-uploads/q1.png',
    status: 'display',
    ...readAs('front@okaxis'),
  },
  {
    _id: 'q2',
    number: 'Q-10002',
    createdAt: '2026-09-20T10:12:00Z',
    name: 'Branch two',
    upiId: 'branch@okaxis',
    qrImage: 'http://desk.test/qr-images/q2.png',
    uploadedImage: 'http://desk.test/qr-uploads/q2.png',
    status: 'hide',
    ...readAs('branch@okaxis'),
  },
];

/** A QR code whose image pays somebody else. */
export const swapped: QrCode = {
  ...(qrCodes[1] as QrCode),
  _id: 'q3',
  number: 'Q-10003',
  name: 'Till 3',
  upiId: 'till@okaxis',
  qrImage: 'http://desk.test/qr-uploads/q3.png',
  uploadedImage: 'http://desk.test/qr-uploads/q3.png',
  isDrawn: false,
  reading: {
    payee: 'mallory@okbank',
    payeeName: 'Mallory Stores',
    sentence: 'This code pays mallory@okbank, Mallory Stores.',
    findings: [
      { code: 'other_payee', sentence: 'This code pays mallory@okbank, not till@okaxis.' },
      { code: 'fixed_amount', sentence: 'This code asks every payer for ₹500.00.' },
    ],
  },
  canDisplay: false,
  confirmBy: 'second',
  confirmNote: "Needs a second admin's approval.",
  displayBy: null,
};

export const viewerPermissions = [
  'own.use',
  'claims.read',
  'claims.reveal',
  'purchases.read',
  'users.read',
  'clients.read',
  'clients.reveal',
  'qr.read',
  'policy.read',
];

const ownerPermissions = [
  ...viewerPermissions,
  'numbers.read',
  'claims.accept',
  'claims.hold',
  'claims.reject',
  'claims.pay',
  'claims.return',
  'batches.move',
  'clients.note',
  'qr.upload',
  'qr.display',
  'qr.delete',
  'policy.change',
  'keys.read',
  'keys.manage',
  'webhooks.read',
  'webhooks.manage',
  'imports.read',
  'imports.run',
  'admins.read',
  'admins.manage',
  'audit.read',
];

/** The signed-in admin. */
export const me: Schemas['Me'] = {
  username: 'asha',
  role: 'owner',
  permissions: ownerPermissions,
  hasFactor: false,
  mustEnrol: false,
};

export const account: Schemas['Account'] = {
  username: 'asha',
  hasTotp: false,
  passkeys: [],
  recoveryCodesLeft: 0,
  isFactorRequired: false,
};

export const ownSessions: Schemas['OwnSession'][] = [
  {
    _id: '9f86d081884c7d659a2feaa0',
    device: 'Firefox on Linux',
    address: '203.0.113.9',
    createdAt: '2026-11-15T02:52:36.120Z',
    lastSeenAt: '2026-11-15T03:10:02.000Z',
    isCurrent: true,
  },
  {
    _id: '9f86d081884c7d659a2feaa1',
    device: null,
    address: '198.51.100.7',
    createdAt: '2026-11-14T02:52:36.120Z',
    lastSeenAt: '2026-11-14T03:10:02.000Z',
    isCurrent: false,
  },
];
