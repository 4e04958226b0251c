/**
 * Chooses the Chinese and Japanese names among a place's names in Chinese characters. Simplified,
 * traditional and Japanese forms of a character tell the three apart; many names have none.
 */
import { isJapaneseForm, isSimplified, isTraditional } from '../../../text/han-variants.ts';

const HAN = /^[\p{Script=Han}\P{L}]+$/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Countries whose places Japanese writes in Chinese characters; those of others, in kana. */
const WRITTEN_IN_HAN = 'JP CN TW HK MO';
/** In these countries a city is called 札幌市, not 札幌, in Chinese as in Japanese. */
const CITY_SUFFIX = /市$/;
const NAMED_WITH_SUFFIX = 'JP CN TW KR KP';

/** Pairs of language and name: `zh` (simplified, if there is a choice), `zh-Hant` and `ja`. */
export function chooseHanNames(values: readonly string[], country: string): [language: string, name: string][] {
  const han = values.filter((value) => HAN.test(value));
  const chosen: [string, string][] = [];
  const choose = (language: string, candidates: readonly string[]): void => {
    const name = preferred(candidates, country);
    if (name !== undefined) chosen.push([language, name]);
  };
  const chinese = han.filter((value) => !isJapaneseForm(value));
  const simplified = chinese.filter((value) => !isTraditional(value));
  choose('zh', simplified.length > 0 ? simplified : chinese.length > 0 ? chinese : han);
  if (simplified.length > 0) choose('zh-Hant', chinese.filter(isTraditional));
  const kana = values.filter((value) => KANA.test(value));
  const japanese = han.filter((value) => !isSimplified(value) && !isTraditional(value));
  if (WRITTEN_IN_HAN.includes(country)) choose('ja', japanese.length > 0 ? japanese : han.length > 0 ? han : kana);
  return chosen;
}

function preferred(values: readonly string[], country: string): string | undefined {
  const hasSuffix = NAMED_WITH_SUFFIX.includes(country);
  return values.find((value) => CITY_SUFFIX.test(value) === hasSuffix) ?? values[0];
}
