import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { sentenceOf } from '../../api/errors';
import { Button } from '../../ui/Button';
import { BookmarkIcon } from '../../ui/icons/icons';
import { Alert, LoadFailure } from '../../ui/notices/Alert';
import { Popover } from '../../ui/popover/Popover';
import { ToolTrigger } from '../../ui/table/frame/Toolbar';
import { SaveView } from './SaveView';
import { ViewLine } from './ViewLine';
import styles from './Views.module.css';
import {
  type Deleting,
  type SavedView,
  type Screen,
  useDeleteView,
  viewsQuery,
} from './viewActions';

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
    <Popover label="Views" trigger={<ToolTrigger Icon={BookmarkIcon} word="Views" />}>
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

interface ViewsProps extends SavedViewsProps {
  /** The view that was just deleted. */
  removed: SavedView | null;
  onRemoved: (view: SavedView | null) => void;
}

export function Views({ screen, search, onApply, removed, onRemoved }: ViewsProps) {
  const { data: views, error, refetch } = useQuery(viewsQuery(screen));
  const deleting = useDeleteView(screen, removed, onRemoved);
  const onRetry = () => void refetch();
  if (error && !views) {
    const lines = ['Your views could not be loaded.', sentenceOf(error)];
    return (
      <div className={styles.views}>
        <LoadFailure {...{ lines, onRetry }} />
      </div>
    );
  }
  return (
    <div className={styles.views}>
      {views?.length === 0 && !removed && (
        <p className={styles.empty}>
          A view keeps the search, filters, order and columns of this screen under a name. Only you
          see yours.
        </p>
      )}
      {views && views.length > 0 && (
        <ul className={styles.list}>
          {views.map((view) => (
            <ViewLine
              key={view._id}
              view={view}
              search={search}
              onApply={onApply}
              onDelete={deleting.remove}
            />
          ))}
        </ul>
      )}
      <DeletedView deleting={deleting} />
      <SaveView screen={screen} search={search} isReady={views !== undefined} />
    </div>
  );
}

/** Offers Undo for a few seconds after a view was deleted. */
function DeletedView({ deleting }: { deleting: Deleting }) {
  const { removed, failure, forgetFailure, undo, isPending } = deleting;
  return (
    <>
      <div role="status">
        {removed && (
          <div className={styles.deleted}>
            <span className="grow wrap">“{removed.name}” was deleted.</span>
            <Button size="row" autoFocus aria-disabled={isPending || undefined} onClick={undo}>
              Undo
            </Button>
          </div>
        )}
      </div>
      {failure && (
        <Alert tone="bad" onDismiss={forgetFailure}>
          {sentenceOf(failure)}
        </Alert>
      )}
    </>
  );
}
