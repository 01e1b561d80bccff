import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client';
import { sentenceOf } from '../../api/errors';
import type { Proof } from '../../entities/purchase/purchase';
import { Dialog } from '../../ui/dialog/Dialog';
import { useMay } from '../../ui/may';
import { LoadFailure } from '../../ui/notices/Alert';
import { formatMoment } from '../../ui/text/dates';
import { useObjectUrl } from '../../ui/useObjectUrl';
import styles from './PaymentProof.module.css';

const title = 'Payment proof';

/** The picture of a payment proof. It never changes. */
const proofOptions = (purchase_id: string) =>
  queryOptions({
    queryKey: ['proofs', purchase_id],
    queryFn: async ({ signal }) => {
      const params = { path: { purchase_id } };
      const sent = await dataOf<ReadableStream | null>(
        api.GET('/api/purchases/{purchase_id}/proof', { params, signal, parseAs: 'stream' }),
      );
      return new Response(sent).blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

/** The picture that the client sent to the service. A click shows it as large as the window allows. */
export function PaymentProof({ purchaseId, proof }: { purchaseId: string; proof: Proof }) {
  const isShown = useMay()('numbers.read');
  return (
    <section aria-label={title} className={styles.section}>
      <h3 className="subheading">{title}</h3>
      {isShown ? (
        <Picture purchaseId={purchaseId} proof={proof} />
      ) : (
        <p className="small quiet">Your role cannot see it: it may show account numbers.</p>
      )}
      <p className="tiny quiet figures wrap">{`${proof.by}, ${formatMoment(proof.at)}`}</p>
    </section>
  );
}

function Picture({ purchaseId, proof: { width, height } }: { purchaseId: string; proof: Proof }) {
  const { data, error, isFetching, refetch } = useQuery(proofOptions(purchaseId));
  const address = useObjectUrl(data);
  const [isLarge, setIsLarge] = useState(false);
  if (error) {
    return (
      <LoadFailure
        lines={['The picture could not be loaded.', sentenceOf(error)]}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  // The size is known before the picture, so that nothing below it moves.
  const picture = <img src={address ?? undefined} alt={title} width={width} height={height} />;
  return (
    <>
      <button
        type="button"
        className={styles.small}
        aria-label={`Show the ${title.toLowerCase()} larger`}
        disabled={!address}
        onClick={() => setIsLarge(true)}
      >
        {picture}
      </button>
      {isLarge && (
        <Dialog
          title={title}
          isWide
          fields={<div className={styles.large}>{picture}</div>}
          onClose={() => setIsLarge(false)}
        />
      )}
    </>
  );
}
