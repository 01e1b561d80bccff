import { Icon } from './Icon';

export function TrashIcon() {
  return (
    <Icon>
      <path d="M2.75 4.25h10.5M6 4.25V2.5h4v1.75M4.25 4.25l.5 9.25h6.5l.5-9.25M6.75 7v4M9.25 7v4" />
    </Icon>
  );
}
