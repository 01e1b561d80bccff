/** 32 random hexadecimal digits. Not `randomUUID`, which is missing when the app is not served over HTTPS. */
export const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
