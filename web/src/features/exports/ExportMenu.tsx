import { DownloadIcon } from '../../ui/icons/DownloadIcon';
import { Popover } from '../../ui/Popover';
import { ToolTrigger } from '../../ui/table/ToolTrigger';
import { ExportOffers } from './ExportOffers';
import type { ExportList } from './exportsQuery';

interface ExportMenuProps {
  list: ExportList;
  /** The filters and the sort order, as in the URL of the list. */
  query: Readonly<Record<string, string>>;
  /** The number of matches, if it is known exactly. */
  count?: number | undefined;
}

export function ExportMenu(props: ExportMenuProps) {
  return (
    <Popover label="Export" align="end" trigger={<ToolTrigger Icon={DownloadIcon} word="Export" />}>
      {(close) => <ExportOffers {...props} close={close} />}
    </Popover>
  );
}
