import { Icon } from './Icon';

export function DownloadIcon() {
  return (
    <Icon>
      <path d="M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.75 13.5h10.5" />
    </Icon>
  );
}
