/**
 * Chooses the Chinese and Japanese names among a place's names in Chinese characters, by the forms
 * of the characters. A name without telling forms counts as both.
 */
import { isFormerJapanese, isJapaneseForm, isSimplified, isTraditional } from '../../../text/han-variants.ts';

/** A name whose letters are all Chinese characters. */
const HAN = /^[\p{Script=Han}\P{L}]+$/u;
const HAN_LETTER = /\p{Script=Han}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Countries whose places Japanese writes in Chinese characters, not in kana. */
const HAN_IN_JAPANESE = 'JP CN TW HK MO';
/** Countries whose places Japanese writes in kana or in Chinese characters. */
const HAN_OR_KANA_IN_JAPANESE = 'KR KP';
/** "City", as in 札幌市. */
const CITY_SUFFIX = /市$/;
/** Countries whose cities have the suffix in their Chinese and Japanese names. */
const CITY_SUFFIX_USED = 'JP CN TW KR KP';

/** Names for `zh` (simplified, if there is a choice), `zh-Hant` and `ja`. */
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
  const withoutSuffix = CITY_SUFFIX_USED.includes(country) ? [] : chinese.filter((value) => !CITY_SUFFIX.test(value));
  // 羅馬 rather than 罗马市: the engine shows it as 罗马
  choose(
    'zh',
    simplified.filter((value) => withoutSuffix.includes(value)),
    withoutSuffix,
    simplified,
    chinese,
    han,
  );
  // without a simplified name, `zh` already has the traditional one
  if (simplified.length > 0) choose('zh-Hant', chinese.filter(isTraditional));
  const kana = values.filter((value) => KANA.test(value));
  // Japanese has traditional forms too, such as 長 in 長野
  const japaneseOrTraditional = han.filter((value) => !isSimplified(value));
  const japanese = japaneseOrTraditional.filter((value) => !isFormerJapanese(value));
  // kana between Chinese characters are surely Japanese: 茅ヶ崎市
  const mixed = country === 'JP' ? kana.filter((value) => HAN_LETTER.test(value)) : [];
  if (HAN_IN_JAPANESE.includes(country)) choose('ja', mixed, japanese, japaneseOrTraditional, han, kana);
  if (HAN_OR_KANA_IN_JAPANESE.includes(country) && kana.length === 0) choose('ja', japanese, japaneseOrTraditional);
  return chosen;
}

/** Prefers names with the suffix where the country uses it, and names without it elsewhere. */
function preferred(values: readonly string[], country: string): string | undefined {
  const hasSuffix = CITY_SUFFIX_USED.includes(country);
  return values.find((value) => CITY_SUFFIX.test(value) === hasSuffix) ?? values[0];
}
