import { Icon } from './Icon';

export function PreviousIcon() {
  return (
    <Icon>
      <path d="m4 10 4-4 4 4" />
    </Icon>
  );
}
