import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useReading } from '../../api/pagedList';
import { refusedReveals, refusedRevealsOptions } from '../../entities/audit/audit';
import { daysNow, type HomeFigures, homeOptions } from '../../entities/home/home';
import { useReviewCount } from '../../entities/purchase/purchase';
import { isFailing, webhooksOptions } from '../../entities/webhook/webhook';
import { useMay } from '../../ui/may';
import { Alert, LoadTrouble } from '../../ui/notices/Alert';
import { Link, useSearch } from '../../ui/page/address';
import { Page } from '../../ui/page/Page';
import { auditPath, homePath, purchasesPath, webhooksPath } from '../../ui/page/paths';
import { formatMoment } from '../../ui/text/dates';
import { countOf, formatCount, shortRupees } from '../../ui/text/rupees';
import { Skeleton } from '../../ui/text/Skeleton';
import styles from './Home.module.css';
import { AmountsChart, ClaimsChart, MoneyChart, TimeChart } from './HomeCharts';
import { People, Queues } from './HomeTables';
import { moneyLink, reachedLink, requestedLink } from './homeLinks';

/** Today and the last weeks at a glance. Each figure is a link to the list that it counts. */
export default function HomeScreen({ title }: { title: string }) {
  // Only to render again when the URL changes.
  useSearch();
  const days = daysNow();
  const reading = useReading({ ...homeOptions(days), placeholderData: keepPreviousData });
  const { data, error } = reading;
  return (
    <Page title={title} scroll="document" summary={data && `Days in ${data.timeZone} time`}>
      <RefusedReveals />
      <FailingWebhooks />
      <LoadTrouble what="The figures" isLoaded={data !== undefined} reading={reading} />
      {data ? <Figures figures={data} days={days} /> : !error && <Loading />}
    </Page>
  );
}

function Figures({ figures, days }: { figures: HomeFigures; days: number }) {
  return (
    <>
      <Today figures={figures} />
      <Queues figures={figures} />
      <nav aria-label="Period" className={styles.periods}>
        {[30, 90].map((choice) => (
          <Link
            key={choice}
            href={choice === 30 ? homePath : `${homePath}?days=${choice}`}
            aria-current={choice === days ? 'true' : undefined}
          >
            {`Last ${choice} days`}
          </Link>
        ))}
      </nav>
      <div className={styles.grid}>
        <ClaimsChart figures={figures} />
        <AmountsChart figures={figures} />
        <TimeChart figures={figures} />
        <MoneyChart figures={figures} />
      </div>
      <People figures={figures} />
    </>
  );
}

function Today({ figures }: { figures: HomeFigures }) {
  const { today: day, days } = figures;
  const toReview = useReviewCount(true);
  const now = days.at(-1);
  if (!now) return null;
  const period = { from: day, to: day };
  const cards = [
    { label: 'Requested today', ...now.requested, href: requestedLink(period) },
    { label: 'Accepted today', ...now.accepted, href: reachedLink('Accepted', period) },
    // Unlike "Paid today" of the claims, with payouts that were returned since.
    { label: 'Paid out today', ...now.paid, href: reachedLink('Paid', period) },
    { label: 'Money in today', ...now.moneyIn, href: moneyLink(period) },
  ];
  return (
    <ul className={styles.cards} aria-label="Today">
      {cards.map(({ label, count, amount, href }) => (
        <li key={label}>
          <Link href={href} className={styles.card}>
            <span className="small quiet">{label}</span>
            <span className={styles.number}>{formatCount(count)}</span>
            <span className="small figures">{shortRupees(amount)}</span>
          </Link>
        </li>
      ))}
      <li>
        <Link href={`${purchasesPath}?findings=only`} className={styles.card}>
          <span className="small quiet">Purchases to review</span>
          <span className={styles.number}>{toReview ?? '–'}</span>
          <span className="small quiet">Findings that nobody has checked</span>
        </Link>
      </li>
    </ul>
  );
}

/** An admin who saw masked numbers and asked for more of them than anybody looks up by hand. */
function RefusedReveals() {
  const mayRead = useMay()('audit.read');
  const { data } = useQuery({ ...refusedRevealsOptions, enabled: mayRead });
  const newest = new Map([...(data ?? [])].reverse().map((entry) => [entry.actor, entry]));
  if (!mayRead || newest.size === 0) return null;
  return (
    <Alert tone="bad" action={<Link href={`${auditPath}?verb=${refusedReveals}`}>Open Audit</Link>}>
      <p>Somebody revealed account and mobile numbers until the limit refused more:</p>
      {[...newest.values()].map(({ _id, actor, createdAt }) => (
        <p key={_id} className="wrap">
          {`${actor}, ${formatMoment(createdAt)}`}
        </p>
      ))}
    </Alert>
  );
}

function FailingWebhooks() {
  const mayRead = useMay()('webhooks.read');
  const { data } = useQuery({ ...webhooksOptions, enabled: mayRead });
  const failing = data?.filter(isFailing) ?? [];
  if (!mayRead || failing.length === 0) return null;
  return (
    <Alert tone="bad" action={<Link href={webhooksPath}>Open Webhooks</Link>}>
      <p>
        {countOf(failing.length, 'webhook')} {failing.length === 1 ? 'is' : 'are'} failing. The
        other programs do not hear of changes:
      </p>
      {failing.map(({ _id, url }) => (
        <p key={_id} className="wrap">
          {url}
        </p>
      ))}
    </Alert>
  );
}

function Loading() {
  return (
    <div role="status" aria-label="Loading the figures…" className={styles.loading}>
      {['80%', '60%', '70%', '50%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}
