import { Icon } from './Icon';

export function ColumnsIcon() {
  return (
    <Icon>
      <path d="M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10" />
    </Icon>
  );
}
