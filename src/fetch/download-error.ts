/** Thrown when a download has failed. The message names the address and the reason. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

interface FaultOptions extends ErrorOptions {
  /** Whether a retry may succeed; false by default. */
  readonly isTransient?: boolean;
  /** Delay that the server requested. */
  readonly retryAfterMs?: number;
}

/** Thrown when one attempt of a download has failed. The message is only the reason. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
  readonly isTransient: boolean;
  readonly retryAfterMs: number;

  constructor(reason: string, { isTransient = false, retryAfterMs = 0, ...options }: FaultOptions = {}) {
    super(reason, options);
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
  }
}

export function connectionLost(cause?: unknown): TransferFault {
  return new TransferFault('the connection was lost', { isTransient: true, cause });
}

/** Formats an address for messages, without user, password and query. */
export function displayUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** Formats an address for files, without user and password. */
export function storedUrl(url: URL): string {
  const stored = new URL(url);
  stored.username = '';
  stored.password = '';
  return stored.href;
}
