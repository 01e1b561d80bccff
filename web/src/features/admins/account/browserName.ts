/* In this order: Edge and Opera also say Chrome, Chrome also says Safari, and Android also says Linux. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.* Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a browser calls itself, in words such as `Chrome on Linux`. What is not recognized stays as it is. */
export function browserName(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([form]) => form.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  return userAgent.startsWith('Mozilla/') && browser && system
    ? `${browser} on ${system}`
    : userAgent;
}
