import { WarningIcon } from '../icons/icons';

/** The server's note about an unusual value, or nothing if the value is fine. */
export function WarningNote({ children }: { children: string }) {
  if (!children) return null;
  return (
    <span className="warning small odd wrap">
      <WarningIcon />
      {children}
    </span>
  );
}
