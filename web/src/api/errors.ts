/** The server responded with an error. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

/** No usable response arrived: it is unknown whether the server processed the request. */
export class NoAnswerError extends Error {
  constructor(cause?: unknown) {
    super('The server cannot be reached. Check your connection and try again.', { cause });
    this.name = 'NoAnswerError';
  }
}

/** True when the server may or may not have processed the request. */
export function isOutcomeUnknown(error: unknown): boolean {
  return !(error instanceof RefusedError) || error.status >= 500;
}

/** True when the server is too busy with requests of this kind and asks the client to retry later. */
export function isBusy(error: unknown): boolean {
  return error instanceof RefusedError && error.code === 'busy';
}

/** The error as one sentence for the screen. */
export function sentenceOf(error: unknown): string {
  if (error instanceof RefusedError || error instanceof NoAnswerError) return error.message;
  return 'Something unexpected went wrong in this page.';
}

/** The server's message for each field, or its general message when it names no field. */
export function sentencesOf(error: unknown): string[] {
  const fields = error instanceof RefusedError ? Object.values(error.fields) : [];
  return fields.length > 0 ? fields : [sentenceOf(error)];
}

export function refusalFrom(status: number, body: unknown): RefusedError {
  const answer = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { code, message, fields } = answer;
  return new RefusedError(
    status,
    typeof code === 'string' ? code : 'unknown',
    typeof message === 'string' ? message : `The server answered with an error (${status}).`,
    typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : {},
  );
}
