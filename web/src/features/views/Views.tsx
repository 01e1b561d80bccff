import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../api/errors';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { DeletedView } from './DeletedView';
import { SaveView } from './SaveView';
import { ViewLine } from './ViewLine';
import styles from './Views.module.css';
import { useDeleteView } from './viewActions';
import { type SavedView, type Screen, viewsQuery } from './viewsQuery';

interface ViewsProps {
  screen: Screen;
  search: string;
  onApply: (search: string) => void;
  /** The view that was just deleted. */
  removed: SavedView | null;
  onRemoved: (view: SavedView | null) => void;
}

export function Views({ screen, search, onApply, removed, onRemoved }: ViewsProps) {
  const { data: views, error, refetch } = useQuery(viewsQuery(screen));
  const deleting = useDeleteView(screen, removed, onRemoved);
  if (error && !views) {
    return (
      <div className={styles.views}>
        <Alert tone="bad" action={<Button onClick={() => void refetch()}>Retry</Button>}>
          <p>Your views could not be loaded.</p>
          <p>{sentenceOf(error)}</p>
        </Alert>
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
