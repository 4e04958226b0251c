/**
 * The words for city, county, district and so on that end names in Chinese characters. People write
 * names with and without them: 深圳市 and 深圳.
 */

/** City, county, district, town, township, Japanese town, village; in simplified (folded) form. */
const SUFFIXES = '市县区镇乡町村';
/** Names keep a suffix that follows a single character: 中区 is not called 中. */
const MIN_LENGTH_BEFORE_SUFFIX = 2;

/** Whether a folded text starts with a Chinese character of the basic plane. */
export function startsWithHan(folded: string): boolean {
  const unit = folded.charCodeAt(0);
  return unit >= 0x3400 && unit <= 0x9fff;
}

/** The folded text without its suffix; the text itself if it has none or is too short. */
export function withoutHanSuffix(folded: string): string {
  const hasSuffix = folded.length > MIN_LENGTH_BEFORE_SUFFIX && SUFFIXES.includes(folded.at(-1) as string);
  return hasSuffix && startsWithHan(folded) ? folded.slice(0, -1) : folded;
}
