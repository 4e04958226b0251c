/**
 * A source that cannot be read: a damaged archive, a truncated file, an unexpected format. The
 * message starts with the file, and the line or block. Bad rows do not raise it: they are counted.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
