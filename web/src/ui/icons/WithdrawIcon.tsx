import { Icon } from './Icon';

export function WithdrawIcon() {
  return (
    <Icon>
      <rect x="2" y="4" width="12" height="9" rx="1.5" />
      <path d="M2 6.8h12M10.8 10h.7" />
    </Icon>
  );
}
