/**
 * Wrong use of the command line or of a setting. The message alone tells what to do, so it is shown without a stack.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** For the end of a message: why an operation of the system failed, in its own words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
