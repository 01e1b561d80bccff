import { Icon } from './Icon';

export function LogoutIcon() {
  return (
    <Icon>
      <path d="M6 2.5H3.8A1.3 1.3 0 0 0 2.5 3.8v8.4a1.3 1.3 0 0 0 1.3 1.3H6M6.5 8h7M10.8 5.2 13.5 8l-2.7 2.8" />
    </Icon>
  );
}
