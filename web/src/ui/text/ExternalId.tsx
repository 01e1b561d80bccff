import { CopyButton } from './CopyButton';

/** What the service calls a row that it has pushed. Nothing if the row did not come from there. */
export function ExternalId({ id }: { id: string | null | undefined }) {
  if (!id) return null;
  return (
    <span className="line small quiet wrap">
      {`External ID ${id}`}
      <CopyButton what="External ID" text={id} isTight />
    </span>
  );
}
