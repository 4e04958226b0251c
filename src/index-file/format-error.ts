/** An index file that cannot be used: damaged, of another version, or not an index at all. */
export class IndexFormatError extends Error {
  override readonly name = 'IndexFormatError';
}
