/** Thrown when a download has failed. The message names the URL and the reason. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

interface FaultOptions extends ErrorOptions {
  /** Whether a retry may succeed; false by default. */
  readonly isTransient?: boolean;
  /** Delay that the server requested; 0 by default. */
  readonly retryAfterMs?: number;
  /** Whether the part file takes room that others need, or cannot become the file; false by default. */
  readonly dropsPart?: boolean;
}

/** Thrown when one attempt to download has failed. The message is only the reason. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
  readonly isTransient: boolean;
  readonly retryAfterMs: number;
  readonly dropsPart: boolean;

  constructor(
    reason: string,
    { isTransient = false, retryAfterMs = 0, dropsPart = false, ...options }: FaultOptions = {},
  ) {
    super(reason, options);
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
    this.dropsPart = dropsPart;
  }
}

export function connectionLost(cause?: unknown): TransferFault {
  return new TransferFault('the connection was lost', { isTransient: true, cause });
}
