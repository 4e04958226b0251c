/**
 * Chinese characters: their simplified, traditional and Japanese forms, from the tables of OpenCC,
 * and the words such as "city" that end names in them: 深圳市 is also written 深圳.
 */
import japanesePairs from 'opencc-js/dict/JPShinjitaiCharacters';
import simplifiedPairs from 'opencc-js/dict/STCharacters';
import traditionalPairs from 'opencc-js/dict/TSCharacters';

/** By traditional character, if the forms differ. */
const simplifiedOf = parsePairs(traditionalPairs);
/** By simplified character: its usual traditional form, if the forms differ. */
const traditionalForm = parsePairs(simplifiedPairs);
/**
 * Simplified characters that names in traditional Chinese mostly use, too: 馬德里, not 馬德裏. From the
 * places that GeoNames names in both, and from well-known ones.
 */
const USED_IN_BOTH = '里台咸岩岳涌干斗范郁后';
const traditionalInNames = new Map([...traditionalForm].filter(([character]) => !USED_IN_BOTH.includes(character)));
/** By Japanese character, if the forms differ. */
const traditionalOf = parsePairs(japanesePairs);
const simplifiedForms = new Set(simplifiedOf.values());
/** Simplified characters whose usual traditional form differs. */
const formsChangedInChina = new Set(traditionalForm.keys());
const formerJapaneseForms = new Set(traditionalOf.values());

/**
 * Folds all forms of a character into one, mostly the simplified one. Repeats, because 滬 becomes 沪,
 * which is also Japanese for 濾.
 */
export function simplify(character: string): string {
  const traditional = traditionalOf.get(character) ?? character;
  const simplified = simplifiedOf.get(traditional) ?? traditional;
  return simplified === character ? character : simplify(simplified);
}

/** A text in traditional characters. One that already has some stays as it is. */
export function toTraditional(text: string): string {
  for (let i = 0; i < text.length; i++) if (simplifiedOf.has(text[i]!)) return text;
  return replaceCharacters(text, traditionalInNames);
}

export function toSimplified(text: string): string {
  return replaceCharacters(text, simplifiedOf);
}

/** Creates no string if nothing is replaced. Names hardly ever have characters of two code units. */
function replaceCharacters(text: string, forms: ReadonlyMap<string, string>): string {
  let replaced = '';
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const form = forms.get(text[i]!);
    if (form === undefined) continue;
    replaced += text.slice(copied, i) + form;
    copied = i + 1;
  }
  return copied === 0 ? text : replaced + text.slice(copied);
}

/** Whether a text has a traditional character that simplified Chinese writes differently. */
export function isTraditional(text: string): boolean {
  return [...text].some((character) => simplifiedOf.has(character));
}

/** Whether a text has a character that is only simplified, not also traditional or Japanese. */
export function isSimplified(text: string): boolean {
  return [...text].some(
    (character) => formsChangedInChina.has(character) && !simplifiedOf.has(character) && !traditionalOf.has(character),
  );
}

/** Whether a text has a character that only Japanese uses. */
export function isJapaneseForm(text: string): boolean {
  return [...text].some((character) => traditionalOf.has(character) && !simplifiedForms.has(character));
}

/** Whether a text has a traditional character that Japanese today writes differently. */
export function isFormerJapanese(text: string): boolean {
  return [...text].some((character) => formerJapaneseForms.has(character));
}

/** Parses `與 与|萬 万`. Of several forms of a character, the first is the usual one. */
function parsePairs(pairs: string): Map<string, string> {
  const forms = new Map<string, string>();
  for (const pair of pairs.split('|')) {
    const [from = '', to = ''] = pair.split(' ');
    if (from !== to) forms.set(from, to);
  }
  return forms;
}

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
