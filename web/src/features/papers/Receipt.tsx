import { useReading } from '../../api/pagedList';
import { type Claim, claimAddress, claimDetailsKey } from '../../entities/claim/claim';
import { LoadTrouble } from '../../ui/notices/Alert';
import { Link, rowInAddress, useLocation } from '../../ui/page/address';
import { addressOfClient, claimsPath } from '../../ui/page/paths';
import { formatDay, formatMomentIn } from '../../ui/text/dates';
import { deskZone } from '../../ui/text/deskDay';
import { shownName } from '../../ui/text/names';
import { formatRupees } from '../../ui/text/rupees';
import { Skeleton } from '../../ui/text/Skeleton';
import { lastDigits } from './lastDigits';
import { Paper, Particulars } from './Paper';

/** The receipt of a paid claim, for paper: it shows the last digits of numbers, whoever prints it. */
export function Receipt({ title }: { title: string }) {
  const [location] = useLocation();
  const number = rowInAddress(location) ?? '';
  const reading = useReading({
    queryKey: [...claimDetailsKey, 'receipt', number],
    queryFn: async () => (number && (await claimAddress.find(number))) || null,
    // A claim that was returned meanwhile has no receipt. The key makes live changes refresh it.
    staleTime: 0,
  });
  const { data, dataUpdatedAt } = reading;
  const claim = data ?? undefined;
  const back = (
    <Link href={claim ? `${claimsPath}/${claim.number}` : claimsPath}>Back to Withdraw</Link>
  );

  if (reading.failure !== undefined || reading.isHeldUp) {
    const trouble = <LoadTrouble what="The receipt" isLoaded={false} reading={reading} />;
    return <Paper title={title} tools={back} instead={trouble} />;
  }
  if (claim?.status !== 'Paid') {
    const loading = (
      <p role="status" aria-label="Loading the receipt…">
        <Skeleton width="60%" />
      </p>
    );
    const reason = claim
      ? `${claim.number} is ${claim.status}. Only a paid claim has a receipt.`
      : 'There is no such claim.';
    const instead = data === undefined ? loading : <p>{reason}</p>;
    return <Paper title={`${title} ${number}`} tools={back} instead={instead} />;
  }
  return (
    <Paper
      title={`${title} ${claim.number}`}
      tools={back}
      footer={`Claim ${claim.number} as of ${formatMomentIn(deskZone(), new Date(dataUpdatedAt).toISOString())}`}
    >
      <p className="loud-amount">{`${formatRupees(claim.amount)} paid`}</p>
      <Particulars lines={linesOf(claim)} />
    </Paper>
  );
}

function linesOf({ number, createdAt, user, accountNo, ifsc, bank, payout }: Claim) {
  const client = (
    <Link href={addressOfClient(user._id)} className="name-link">
      {shownName(user)}
    </Link>
  );
  return [
    ['Claim number', number],
    ['Client', client],
    ['Mobile', lastDigits(user.mobile)],
    ['Account', lastDigits(accountNo)],
    ['Bank', bank.name ? `${bank.name}, ${ifsc}` : ifsc],
    ['Bank reference', payout?.reference ?? 'Not recorded'],
    ['Paid on', payout ? formatMomentIn(deskZone(), payout.at) : 'Not recorded'],
    ['Paid by', payout?.by ?? 'Not recorded'],
    ['Requested on', formatDay(createdAt)],
  ] as const;
}
