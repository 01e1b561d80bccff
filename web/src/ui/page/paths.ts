/* The paths of the screens that others link to. No other file names one; the route table of the app uses them too. */

export const purchasesPath = '/Data';
export const claimsPath = '/Withdraw';
export const qrPath = '/QR';
export const usersPath = '/reg';
export const homePath = '/Home';
export const auditPath = '/Audit';
export const settingsPath = '/Settings';
export const accountPath = '/Settings/Account';
export const keysPath = '/Settings/Keys';
export const webhooksPath = '/Settings/Webhooks';
export const receiptPath = '/Receipt';
export const clientPath = '/client';
export const statementPath = '/Statement';

export const addressOfClient = (id: string) => `${clientPath}/${id}`;
