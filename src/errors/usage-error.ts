/** Wrong use of the command line or a setting. Shown without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
