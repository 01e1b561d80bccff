const words: Record<string, readonly [ascending: string, descending: string]> = {
  createdAt: ['oldest first', 'newest first'],
  username: ['by name, A first', 'by name, Z first'],
  mobile: ['by mobile number', 'by mobile number, highest first'],
  invest: ['by investment, smallest first', 'by investment, largest first'],
  amount: ['by amount, smallest first', 'by amount, largest first'],
  accountNo: ['by account number', 'by account number, highest first'],
  ifsc: ['by IFSC, A first', 'by IFSC, Z first'],
  address: ['by address, A first', 'by address, Z first'],
  status: ['by status, A first', 'by status, Z first'],
};

/** The order of a list in words: "newest first". */
export function orderText(sort = '-createdAt'): string {
  const [ascending, descending] = words[sort.replace(/^-/, '')] ?? ['', ''];
  return (sort.startsWith('-') ? descending : ascending) || `sorted by ${sort}`;
}
