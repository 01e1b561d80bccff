import { formatCount } from '../../ui/rupees';

/** "3", or "120, the newest 50". */
export const countText = (shown: number, count: number) =>
  shown < count ? `${formatCount(count)}, the newest ${formatCount(shown)}` : formatCount(count);
