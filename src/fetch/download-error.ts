/** Errors of downloads: the fault of one attempt, and the error that ends the download. */

/** Ends a download. The message names the address and the reason, and is complete for users. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

export interface FaultOptions extends ErrorOptions {
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;
  /** Delay that the server requested. */
  readonly retryAfterMs?: number;
}

/** Ends one attempt. The message is only the reason. */
export class TransferFault extends Error {
  override readonly name = 'TransferFault';
  readonly isTransient: boolean;
  readonly retryAfterMs: number;

  constructor(reason: string, { isTransient, retryAfterMs = 0, ...options }: FaultOptions) {
    super(reason, options);
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
  }
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
