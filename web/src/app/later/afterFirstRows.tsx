import { Batches } from '../../features/batches/Batches';
import { ExportProgress } from '../../features/exports/ExportProgress';

/* What is mounted after the first rows, in one file. */

export { default as LiveUpdates } from '../../features/live/LiveUpdates';

export interface RunningWorkProps {
  inert: boolean;
  mayMove: boolean;
}

/** The batches and exports of this admin, and how far they are. */
export const RunningWork = ({ inert, mayMove }: RunningWorkProps) => (
  <>
    {mayMove && <Batches inert={inert} />}
    <ExportProgress inert={inert} />
  </>
);
