import { useNotices } from '../api/rowTasks';
import { claimTasks } from '../entities/claim/claimTasks';
import { qrTasks } from '../entities/qr/qrTasks';
import { Link, useLocation } from '../ui/address';
import { Notices } from '../ui/Notices';
import { isAt } from './isAt';

const works = [
  { href: '/Withdraw', way: 'Open All Claim Requests', work: claimTasks },
  { href: '/Qr', way: 'Open QR Table', work: qrTasks },
];

/** Shows the outcome of operations on a screen that the admin has left. The screen itself shows its own. */
export function AwayNotices() {
  const [location] = useLocation();
  return works
    .filter(({ href }) => !isAt(location, href))
    .map((work) => <NoticesFrom key={work.href} {...work} />);
}

function NoticesFrom({ href, way, work }: (typeof works)[number]) {
  const notices = useNotices(work);
  return (
    <Notices notices={notices} onDismiss={work.dismiss} link={<Link href={href}>{way}</Link>} />
  );
}
