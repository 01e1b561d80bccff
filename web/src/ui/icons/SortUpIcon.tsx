import { Icon } from './Icon';

export function SortUpIcon() {
  return (
    <Icon>
      <path d="M4.5 9.5 8 6l3.5 3.5" />
    </Icon>
  );
}
