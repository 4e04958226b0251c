/** An index file that cannot be used: damaged, of another version, or not an index at all. */
export class IndexFormatError extends Error {
  override readonly name = 'IndexFormatError';
}

/** For a section whose content contradicts itself or another section. */
export function damagedSection(section: string, problem: string): IndexFormatError {
  return new IndexFormatError(`section ${section} is damaged: ${problem}. Rebuild the index`);
}
