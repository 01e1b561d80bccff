import { Icon } from './Icon';

export function SunIcon() {
  return (
    <Icon>
      <circle cx="8" cy="8" r="2.7" />
      <path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9" />
    </Icon>
  );
}
