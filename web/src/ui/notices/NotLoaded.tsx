import { Toast } from './Toast';

const failure = { sentence: 'This part could not be loaded. Reload the page.', number: 1 };

/** In place of a dialog or panel whose file is missing, e.g. because a release has replaced it. */
export const NotLoaded = ({ onClose }: { onClose: () => void }) => (
  <Toast message={failure} onEnd={onClose} />
);

/** For `lazy(() => import(…).catch(notLoaded))`: the screen around it keeps working. */
export const notLoaded = () => ({ default: NotLoaded });
