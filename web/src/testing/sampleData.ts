import type { Schemas } from '../api/client';

const rahul = { username: 'Rahul Nair', mobile: '09805756092' };
const sneha = { username: 'Sneha Sharma', mobile: '9878216267' };
const arjun = { username: 'Arjun Das', mobile: '9174881458' };

export const users: Schemas['User'][] = [
  { _id: 'u2', createdAt: '2026-09-21T10:12:00Z', ...sneha },
  { _id: 'u1', createdAt: '2026-02-03T10:12:00Z', ...rahul },
];

export const purchases: Schemas['Purchase'][] = [
  {
    _id: 'p1',
    createdAt: '2026-09-21T10:12:00Z',
    user: rahul,
    invest: 100000,
    dailyIncome: 1500.5,
    upiId: '000723636150',
    claimType: 'Daily',
    qrName: 'Front desk',
  },
];

const bank = { accountNo: '00123456789', ifsc: 'HDFC0001234', address: 'Kochi' };

export const pending: Schemas['Claim'] = {
  _id: 'c1',
  createdAt: '2026-09-21T10:12:00Z',
  user: rahul,
  purchase: { invest: 5000 },
  amount: 7967.56,
  ...bank,
  status: 'Pending',
  moves: ['Accepted'],
};
export const accepted: Schemas['Claim'] = {
  ...pending,
  _id: 'c2',
  user: sneha,
  amount: 846424.2,
  status: 'Accepted',
  moves: ['Paid'],
};
export const paid: Schemas['Claim'] = {
  ...pending,
  _id: 'c3',
  user: arjun,
  amount: 12,
  status: 'Paid',
  moves: [],
};
export const claims = [pending, accepted, paid];

export const qrCodes: Schemas['QrCode'][] = [
  {
    _id: 'q1',
    createdAt: '2026-09-21T10:12:00Z',
    name: 'Front desk',
    upiId: 'front@okaxis',
    qrImage: 'http://desk.test/qr-images/q1.png',
    status: 'display',
  },
  {
    _id: 'q2',
    createdAt: '2026-09-20T10:12:00Z',
    name: 'Branch two',
    upiId: 'branch@okaxis',
    qrImage: 'http://desk.test/qr-images/q2.png',
    status: 'hide',
  },
];
