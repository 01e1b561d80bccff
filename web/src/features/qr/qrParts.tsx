import { loadable } from '../../ui/loadable';

export const loadLater = () => import('./qrLater');

export const QrDialogs = loadable(() =>
  loadLater().then((later) => ({ default: later.QrDialogs })),
);

/** A form that is being filled in must keep working when only this part cannot be loaded. */
export const PictureReading = loadable(() =>
  loadLater().then(
    (later) => ({ default: later.PictureReading }),
    () => ({ default: Unread }),
  ),
);

function Unread() {
  return <p>The picture could not be read now. It is read when it is uploaded.</p>;
}

/** Preloads all parts, so that the screen keeps working when the server is unreachable. */
export function loadParts() {
  for (const { load } of [QrDialogs, PictureReading]) void load().catch(() => undefined);
}
