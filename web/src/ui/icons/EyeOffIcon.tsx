import { Icon } from './Icon';

export function EyeOffIcon() {
  return (
    <Icon>
      <path d="M6.2 3.8A6 6 0 0 1 8 3.5C12.2 3.5 14.5 8 14.5 8a11 11 0 0 1-1.6 2.2M4.2 4.7A10.4 10.4 0 0 0 1.5 8S3.8 12.5 8 12.5a6 6 0 0 0 3.3-1M2.5 2.5l11 11" />
    </Icon>
  );
}
