/** A ledger page with a coin on it. */
export function Logo() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="var(--on-accent)"
      aria-hidden="true"
      focusable="false"
    >
      <rect fill="var(--accent)" width="20" height="20" rx="5" />
      <path
        fill="none"
        stroke="var(--on-accent)"
        strokeWidth="1.8"
        strokeLinecap="round"
        d="M5 6.5h10M5 10h6.5M5 13.5h3"
      />
      <circle cx="13.6" cy="13.2" r="1.9" />
    </svg>
  );
}
