import { useEffect, useState } from 'react';
import { BookmarkIcon } from '../../ui/icons/BookmarkIcon';
import { Popover } from '../../ui/Popover';
import { ToolTrigger } from '../../ui/table/ToolTrigger';
import { Views } from './Views';
import type { SavedView, Screen } from './viewsQuery';

interface SavedViewsProps {
  screen: Screen;
  /** The query string of the URL, without the question mark. */
  search: string;
  onApply: (search: string) => void;
}

const undoMilliseconds = 10_000;

export function SavedViews({ screen, search, onApply }: SavedViewsProps) {
  // Kept here and not in the panel, so that Undo is still offered when the panel is reopened.
  const [removed, setRemoved] = useState<SavedView | null>(null);
  useEffect(() => {
    if (!removed) return;
    const timer = setTimeout(() => setRemoved(null), undoMilliseconds);
    return () => clearTimeout(timer);
  }, [removed]);

  return (
    <Popover label="Views" align="end" trigger={<ToolTrigger Icon={BookmarkIcon} word="Views" />}>
      {(close) => (
        <Views
          {...{ screen, search, removed }}
          onRemoved={setRemoved}
          onApply={(chosen) => {
            onApply(chosen);
            close();
          }}
        />
      )}
    </Popover>
  );
}
