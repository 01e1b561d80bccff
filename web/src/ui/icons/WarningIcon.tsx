import { Icon } from './Icon';

export function WarningIcon() {
  return (
    <Icon>
      <path d="M8 2.5 14.25 13.5H1.75ZM8 6.5v3m0 2v.01" />
    </Icon>
  );
}
