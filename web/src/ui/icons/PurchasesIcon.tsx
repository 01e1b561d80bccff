import { Icon } from './Icon';

export function PurchasesIcon() {
  return (
    <Icon>
      <path d="M3 5.5h10l-.7 7a1 1 0 0 1-1 .9H4.7a1 1 0 0 1-1-.9zM5.7 7.5V4.6a2.3 2.3 0 0 1 4.6 0v2.9" />
    </Icon>
  );
}
