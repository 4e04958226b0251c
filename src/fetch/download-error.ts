/**
 * What goes wrong with a download: a fault in one try, which another try may mend, and the error that ends it all.
 */

/** The message names the address and the reason, and is all a user needs. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

export interface FaultOptions extends ErrorOptions {
  /** Whether another try may go better. */
  readonly isTransient: boolean;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number;
}

/** One try has failed; the message is the reason alone. */
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

/** An address as messages show it: without the user, password and query it may carry. */
export function shownUrl({ origin, pathname }: URL): string {
  return origin + pathname;
}

/** An address as files keep it: without its user and password. */
export function storedUrl(url: URL): string {
  const stored = new URL(url);
  stored.username = '';
  stored.password = '';
  return stored.href;
}
