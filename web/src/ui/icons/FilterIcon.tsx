import { Icon } from './Icon';

export function FilterIcon() {
  return (
    <Icon>
      <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />
    </Icon>
  );
}
