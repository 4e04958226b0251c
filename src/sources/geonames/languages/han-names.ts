/**
 * Chooses the Chinese and Japanese names among a place's names in Chinese characters. Simplified,
 * traditional and Japanese forms of characters show the language. A name without such forms counts
 * both as simplified Chinese and as Japanese. A traditional name counts as Japanese too, unless
 * Japanese has other forms of its characters.
 */
import { isFormerJapanese, isJapaneseForm, isSimplified, isTraditional } from '../../../text/han-variants.ts';

/** Matches a name whose letters are all Chinese characters. */
const HAN = /^[\p{Script=Han}\P{L}]+$/u;
const HAN_LETTER = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Countries whose places Japanese writes in Chinese characters; others are in kana. */
const HAN_IN_JAPANESE = 'JP CN TW HK MO';
/** "City", as in 札幌市. */
const CITY_SUFFIX = /市$/;
/** Countries whose cities have the suffix in their Chinese and Japanese names. */
const CITY_SUFFIX_USED = 'JP CN TW KR KP';

/** Pairs of language and name: `zh` (simplified, if there is a choice), `zh-Hant` and `ja`. */
export function chooseHanNames(values: readonly string[], country: string): [language: string, name: string][] {
  const han = values.filter((value) => HAN.test(value));
  const chosen: [string, string][] = [];
  /** Chooses from the first list that is not empty. */
  const choose = (language: string, ...lists: readonly (readonly string[])[]): void => {
    const name = preferred(lists.find((list) => list.length > 0) ?? [], country);
    if (name !== undefined) chosen.push([language, name]);
  };
  const chinese = han.filter((value) => !isJapaneseForm(value));
  const simplified = chinese.filter((value) => !isTraditional(value));
  choose('zh', simplified, chinese, han);
  // without a simplified name, `zh` already has the traditional one
  if (simplified.length > 0) choose('zh-Hant', chinese.filter(isTraditional));
  const kana = values.filter((value) => KANA.test(value));
  // Japanese has traditional forms too, such as 長 in 長野
  const japaneseOrTraditional = han.filter((value) => !isSimplified(value));
  const japanese = japaneseOrTraditional.filter((value) => !isFormerJapanese(value));
  // these names are surely Japanese: Chinese leaves out the kana, as in 茅崎市 for 茅ヶ崎市
  const mixed = country === 'JP' ? kana.filter((value) => HAN_LETTER.test(value)) : [];
  if (HAN_IN_JAPANESE.includes(country)) choose('ja', mixed, japanese, japaneseOrTraditional, han, kana);
  return chosen;
}

/** The first name with the suffix (without it in countries that do not use it), else the first. */
function preferred(values: readonly string[], country: string): string | undefined {
  const hasSuffix = CITY_SUFFIX_USED.includes(country);
  return values.find((value) => CITY_SUFFIX.test(value) === hasSuffix) ?? values[0];
}
