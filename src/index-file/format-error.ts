/** Thrown if a file is damaged, of another version, or not an index. */
export class IndexFormatError extends Error {
  override readonly name = 'IndexFormatError';
}

export function damagedSection(section: string, problem: string): IndexFormatError {
  return new IndexFormatError(`section ${section} is damaged: ${problem}. Rebuild the index`);
}
