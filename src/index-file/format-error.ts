/** Thrown if an index file cannot be used: it is damaged, of another version, or not an index. */
export class IndexFormatError extends Error {
  override readonly name = 'IndexFormatError';
}

/** Creates the error for a section with a wrong checksum or contradictory content. */
export function damagedSection(section: string, problem: string): IndexFormatError {
  return new IndexFormatError(`section ${section} is damaged: ${problem}. Rebuild the index`);
}
