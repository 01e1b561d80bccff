import { Icon } from './Icon';

export function UploadIcon() {
  return (
    <Icon>
      <path d="M8 10.5V2.8M5 5.5l3-3 3 3M2.5 10.5v1.7a1.3 1.3 0 0 0 1.3 1.3h8.4a1.3 1.3 0 0 0 1.3-1.3v-1.7" />
    </Icon>
  );
}
