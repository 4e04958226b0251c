/** Wrong use of the command line or a setting. Shown without a stack: the message is enough. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
