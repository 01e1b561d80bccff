/** Decorative: the control that contains the icon has the accessible name. */
const icon =
  (shape: string, strokeWidth = '1.4') =>
  () => (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={shape} />
    </svg>
  );

export const AccountIcon = icon(
  'M10.5 5.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 1 1 5 0ZM3 13.5c.5-2.5 2.5-3.75 5-3.75s4.500 1.25 5 3.75',
);
export const AuditIcon = icon('M3.5 2.5h9v11h-9zM5.75 5.5h4.5M5.75 8h4.5M5.75 10.5h2.5');
export const BackIcon = icon('m10 4-4 4 4 4');
export const BookmarkIcon = icon('M4.25 2.75h7.5v10.5L8 10.5l-3.75 2.75z');
export const CloseIcon = icon('m4 4 8 8M12 4l-8 8');
export const ColumnsIcon = icon('M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10');
export const CopyIcon = icon('M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3');
export const DownloadIcon = icon('M8 2.5v7.5M4.75 7 8 10.25 11.25 7M2.75 13.5h10.5');
export const EyeIcon = icon(
  'M1.5 8S3.8 3.5 8 3.5 14.5 8 14.5 8 12.2 12.5 8 12.5 1.5 8 1.5 8ZM10 8a2 2 0 1 1-4 0 2 2 0 1 1 4 0Z',
);
export const EyeOffIcon = icon(
  'M6.2 3.8A6 6 0 0 1 8 3.5C12.2 3.5 14.5 8 14.5 8a11 11 0 0 1-1.6 2.2M4.2 4.7A10.4 10.4 0 0 0 1.5 8S3.8 12.5 8 12.5a6 6 0 0 0 3.3-1M2.5 2.5l11 11',
);
export const FilterIcon = icon('M2.5 4h11M4.5 8h7M6.5 12h3');
export const ForwardIcon = icon('m6 4 4 4-4 4');
export const HomeIcon = icon('M2.5 13.5h11M4 13.5V8M8 13.5V3M12 13.5V6');
export const LogoutIcon = icon(
  'M6 2.5H3.8A1.3 1.3 0 0 0 2.5 3.8v8.4a1.3 1.3 0 0 0 1.3 1.3H6M6.5 8h7M10.8 5.2 13.5 8l-2.7 2.8',
);
export const MenuIcon = icon('M2.5 4h11M2.5 8h11M2.5 12h11');
export const MoreIcon = icon('M3.5 8h.01M8 8h.01M12.5 8h.01', '2');
export const NextIcon = icon('m4 6 4 4 4-4');
export const PreviousIcon = icon('m4 10 4-4 4 4');
export const PurchasesIcon = icon(
  'M3 5.5h10l-.7 7a1 1 0 0 1-1 .9H4.7a1 1 0 0 1-1-.9zM5.7 7.5V4.6a2.3 2.3 0 0 1 4.6 0v2.9',
);
export const QrIcon = icon(
  'M2.5 2.5h4v4h-4zM9.5 2.5h4v4h-4zM2.5 9.5h4v4h-4zM9.5 9.5h1.5v1.5M13.5 9.5v4M9.5 13.5h1.5',
);
export const SearchIcon = icon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14');
export const SettingsIcon = icon(
  'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M12 4.5a2 2 0 1 1-4 0 2 2 0 1 1 4 0ZM8 11.5a2 2 0 1 1-4 0 2 2 0 1 1 4 0Z',
);
export const SortDownIcon = icon('m4.5 6.5 3.5 3.5 3.5-3.5');
export const SortUpIcon = icon('M4.5 9.5 8 6l3.5 3.5');
export const TrashIcon = icon(
  'M2.75 4.25h10.5M6 4.25V2.5h4v1.75M4.25 4.25l.5 9.25h6.5l.5-9.25M6.75 7v4M9.25 7v4',
);
export const UploadIcon = icon(
  'M8 10.5V2.8M5 5.5l3-3 3 3M2.5 10.5v1.7a1.3 1.3 0 0 0 1.3 1.3h8.4a1.3 1.3 0 0 0 1.3-1.3v-1.7',
);
export const UsersIcon = icon(
  'M8.5 5.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 1 1 5 0ZM1.8 13.3a4.2 4.2 0 0 1 8.4 0M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.7a4.2 4.2 0 0 1 2.2 3.6',
);
export const WarningIcon = icon('M8 2.5 14.25 13.5H1.75ZM8 6.5v3m0 2v.01');
export const WithdrawIcon = icon(
  'M3.5 4h9a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5h-9a1.5 1.5 0 0 1-1.5-1.5v-6a1.5 1.5 0 0 1 1.5-1.5ZM2 6.8h12M10.8 10h.7',
);
