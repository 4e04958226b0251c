/** Errors whose messages are for users, messages of anything that was thrown, and a time limit. */
import util from 'node:util';

/** Wrong use of the command line or a setting. Shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An error whose message tells a user all there is to know. Shown without a stack, with exit code 1. */
export class PlainError extends Error {}

interface SystemError extends NodeJS.ErrnoException {
  readonly hostname?: string;
  readonly address?: string;
  readonly port?: number;
}

/** For names that cannot be resolved. Their codes are Node's own. */
const HOST_REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host cannot be looked up at the moment',
};

/** The message; of a system error the reason and what it is about: `connection refused (127.0.0.1:443)`. */
export function errorMessage(error: unknown): string {
  const subject = isSystemError(error) ? subjectOf(error) : undefined;
  return subject === undefined ? errorReason(error) : `${errorReason(error)} (${subject})`;
}

/**
 * The message; of a system error only the reason, such as `no such file or directory`, for a message
 * that names the file. Node's own message also has the code, the system call and the path.
 */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isSystemError(error)) return error.message;
  const code = error.code ?? '';
  return HOST_REASONS[code] ?? systemReason(code) ?? error.message;
}

/** Not errors of Node itself (ERR_…), nor of TLS (EPROTO), whose messages say more. */
function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && /^E(?!RR_|PROTO$)[A-Z0-9_]+$/.test(String(error.code));
}

function systemReason(code: string): string | undefined {
  for (const [name, reason] of util.getSystemErrorMap().values()) if (name === code) return reason;
  return undefined;
}

function subjectOf({ path, hostname, address, port }: SystemError): string | undefined {
  if (address === undefined || port === undefined || port < 0) return path ?? hostname ?? address;
  return `${address.includes(':') ? `[${address}]` : address}:${port}`;
}

/** Settles as `promise` does, but rejects with `lateError()` if that takes longer than `limitMs`. */
export async function withTimeLimit<T>(promise: Promise<T>, limitMs: number, lateError: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // after a pause of this process, a reply that has arrived meanwhile is read before setImmediate
  const timer = setTimeout(() => setImmediate(() => reject(lateError())), limitMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
