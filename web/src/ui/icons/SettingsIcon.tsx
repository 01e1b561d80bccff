import { Icon } from './Icon';

export function SettingsIcon() {
  return (
    <Icon>
      <path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6" />
      <circle cx="10" cy="4.5" r="2" />
      <circle cx="6" cy="11.5" r="2" />
    </Icon>
  );
}
