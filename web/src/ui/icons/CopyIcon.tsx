import { Icon } from './Icon';

export function CopyIcon() {
  return (
    <Icon>
      <path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />
    </Icon>
  );
}
