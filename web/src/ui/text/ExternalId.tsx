/** What the service calls a row that it has pushed. Nothing if the row did not come from there. */
export function ExternalId({ id }: { id: string | null | undefined }) {
  return id ? <span className="small quiet wrap">{`External ID ${id}`}</span> : null;
}
