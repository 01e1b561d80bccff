import { Icon } from './Icon';

export function QrIcon() {
  return (
    <Icon>
      <path d="M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v4M9.5 13.5h1.5" />
    </Icon>
  );
}
