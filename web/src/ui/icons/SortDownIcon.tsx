import { Icon } from './Icon';

export function SortDownIcon() {
  return (
    <Icon>
      <path d="m4.5 6.5 3.5 3.5 3.5-3.5" />
    </Icon>
  );
}
