/** Thrown for a source that cannot be used. Bad rows are counted in the report instead. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
