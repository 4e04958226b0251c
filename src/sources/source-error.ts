/**
 * Thrown for a source that cannot be used: a damaged archive, a truncated file, an unexpected
 * format. Bad rows are counted in the report instead (report.ts).
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
