import { Icon } from './Icon';

export function MoreIcon() {
  return (
    <Icon>
      <path d="M3.5 8h.01M8 8h.01M12.5 8h.01" strokeWidth="2" />
    </Icon>
  );
}
