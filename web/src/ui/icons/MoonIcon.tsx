import { Icon } from './Icon';

export function MoonIcon() {
  return (
    <Icon>
      <path d="M13.4 9.6A5.8 5.8 0 0 1 6.4 2.6a5.8 5.8 0 1 0 7 7Z" />
    </Icon>
  );
}
