import type { ExportList } from './exportJobs';

export const nounOf: Record<ExportList, string> = {
  claims: 'claim',
  purchases: 'purchase',
  users: 'user',
  audit: 'row',
};

/** What a spreadsheet would shorten if the file did not mark it as text. */
export const longNumbers: Record<ExportList, string> = {
  claims: 'account numbers',
  purchases: 'transaction ids',
  users: 'mobile numbers',
  audit: 'numbers of records',
};
