import { Icon } from './Icon';

export function BookmarkIcon() {
  return (
    <Icon>
      <path d="M4.25 2.75h7.5v10.5L8 10.5l-3.75 2.75z" />
    </Icon>
  );
}
