/** One entry of the server's log, as an event reports it. */
export interface Change {
  verb: string;
  subjectId: string;
  by: string;
  at: string;
  status: string | null;
  version: number | null;
}
