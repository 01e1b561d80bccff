import { Icon } from './Icon';

export function SearchIcon() {
  return (
    <Icon>
      <path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14" />
    </Icon>
  );
}
