/** Words such as "city" that end names in Chinese characters: 深圳市 is also written 深圳. */

/** City, county, district, town, township, Japanese town and village, in folded form. */
const SUFFIXES = '市县区镇乡町村';
/** 中区 is never called 中. */
const MIN_LENGTH_BEFORE_SUFFIX = 2;

/** Covers the basic plane only. */
export function startsWithHan(folded: string): boolean {
  const unit = folded.charCodeAt(0);
  return unit >= 0x3400 && unit <= 0x9fff;
}

export function withoutHanSuffix(folded: string): string {
  const hasSuffix = folded.length > MIN_LENGTH_BEFORE_SUFFIX && SUFFIXES.includes(folded.at(-1) as string);
  return hasSuffix && startsWithHan(folded) ? folded.slice(0, -1) : folded;
}
