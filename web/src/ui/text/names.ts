/** Some clients have registered without a name. */
export const shownName = ({ username }: { username: string }): string =>
  username.trim() || 'No name';

/** Scripts that run from right to left, and the characters that turn the direction. */
const rightToLeft =
  /[\u0590-\u08ff\u200f\u202a-\u202e\ufb1d-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name within a text. Such a name is enclosed in the isolate characters: otherwise it would change places with the
 * number or amount beside it.
 */
export const nameInText = (user: { username: string }): string => {
  const name = shownName(user);
  return rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
};
