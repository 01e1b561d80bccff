import { loadable } from '../../ui/loadable';

export const loadLater = () => import('./qrLater');

export const QrDesk = loadable(() => loadLater().then((later) => ({ default: later.QrDesk })));

/** A form that is being filled in must not break because this alone could not be fetched. */
export const PictureReading = loadable(() =>
  loadLater().then(
    (later) => ({ default: later.PictureReading }),
    () => ({ default: Unread }),
  ),
);

function Unread() {
  return <p>The picture could not be read now. It is read when it is uploaded.</p>;
}

/** All at hand, so that a server that goes away later takes none of them. */
export function loadParts() {
  for (const { load } of [QrDesk, PictureReading]) void load().catch(() => undefined);
}
