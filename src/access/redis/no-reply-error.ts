/** Redis did not reply: it was too late, or there is no connection. An error reply is no such error. */
export class NoReplyError extends Error {
  override readonly name = 'NoReplyError';
}
