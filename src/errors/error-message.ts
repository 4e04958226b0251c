/** Message of anything that was thrown, to be quoted at the end of another message. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
