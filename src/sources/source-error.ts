/**
 * A source that cannot be read on: a damaged archive, a cut-off file, a format that is not what it should be.
 * The message starts with the file (and line or block) and is all a user needs. A bad row is no such error: rows are counted.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
