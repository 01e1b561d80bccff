/** As the server masks numbers: a short one is hidden as a whole. A masked number stays as it is. */
export const lastDigits = (number: string) => `••••${number.length < 8 ? '' : number.slice(-4)}`;
