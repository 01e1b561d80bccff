/** Some clients have registered without a name. */
export const shownName = ({ username }: { username: string }): string =>
  username.trim() || 'No name';
