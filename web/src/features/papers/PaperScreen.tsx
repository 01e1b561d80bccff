import { Receipt } from './Receipt';
import { Statement } from './Statement';

/** In one file, because they share most of it: another one would be another request before the first view. */
export default function PaperScreen({ title }: { title: string }) {
  return title === 'Receipt' ? <Receipt title={title} /> : <Statement title={title} />;
}
