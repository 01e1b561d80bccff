import { Icon } from './Icon';

export function UsersIcon() {
  return (
    <Icon>
      <circle cx="6" cy="5.5" r="2.5" />
      <path d="M1.8 13.3a4.2 4.2 0 0 1 8.4 0M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.7a4.2 4.2 0 0 1 2.2 3.6" />
    </Icon>
  );
}
