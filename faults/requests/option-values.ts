/** Values of the API's options: valid ones, wrong ones, nonsense, and very long ones. */
import { OPTIONS, type OptionName } from 'toponym-engine/options';
import { type Choose, pick, rarely } from './choices.ts';

type Values = readonly [string, ...string[]];

const TEXTS: Values = [
  'par',
  '',
  'paris',
  'san',
  'new york',
  'sprngfield il',
  'kair egipt',
  'tokio',
  'lodnon',
  'st petersburg',
  'texas',
  'köln',
  '東京',
  'москва',
  'القاهرة',
  'सूरत',
  '48.85, 2.35',
  '-90,180',
  '1010 wien',
  'hotel ibis lyon',
  'brixton london',
  'a',
  '%',
  '<em>',
  '"\\',
  '\u202eabc',
  '\u0301',
  '🏙️',
  "l'aquila",
  'san san san san san',
  'x y z w v u t s r q p',
];
/** Nonsense for any option. */
const NONSENSE: Values = [
  '',
  '\0',
  '\ud800',
  'null',
  '[]',
  '{}',
  'constructor',
  '__proto__',
  'toString',
  '%00',
  '%zz',
  '../../etc/passwd',
  "'; drop table keys; --",
  '$(id)',
  '\r\nX-Injected: 1',
  '\u2028',
  '\uffff',
  '¼',
  'a,b',
  ',,,',
  'tpk_',
];

/** The example of the table is the only value of an option that is not here. */
const VALID: Partial<Record<OptionName, Values>> = {
  query: TEXTS,
  type: ['city', 'town', 'city,town', 'suburban area', 'CITY'],
  hitsPerPage: ['1', '5', '20', '21', '1000'],
  aroundLatLng: ['48.85,2.35', '0,0', '90,180', '-90,-180', '-16.8,179.99', ' 1 , 2 ', '1e1,2', '+1,-0', '.5,5.'],
  mode: ['nearest', 'containing'],
  aroundLatLngViaIP: ['true', 'false', '8.8.8.8', '2001:4860:4860::8888', '::1', '::ffff:1.2.3.4'],
  aroundRadius: ['50000', '1', '999999999999999999999'],
  insideBoundingBox: ['47.3165,4.9665,47.3424,5.0201', '-20,175,-15,-175', '-90,-180,90,180', '0,0,0,0'],
  typoTolerance: ['true', 'false', '1', '0'],
  minConfidence: ['0', '0.5', '1', '.9', '1e-3'],
  getRankingInfo: ['true', 'false', '1', '0'],
  language: ['fr', 'de', 'zh-Hant', 'ar', 'x', 'en_US', '123', 'ß'],
  countries: ['fr', 'fr,be', 'US', 'xx'],
  objectID: ['G2988507', 'G2950159', 'G1', 'N1'],
};
const WRONG: Partial<Record<OptionName, Values>> = {
  type: ['castle', ',', 'city,,town'],
  aroundLatLng: ['91,0', '0,181', 'NaN,NaN', '1', '1,2,3', '1e999,0', ',', '٣,٤', '0x10,1'],
  aroundLatLngViaIP: ['fe80::1%x', '1.2.3', '256.1.1.1'],
  insideBoundingBox: ['1,2,3', '1,2,3,4,5,6,7,8', '91,0,0,0'],
  countries: ['f', 'fra', 'fr,', 'ＦＲ'],
};
/** Wrong for options that are numbers, flags or words. */
const WRONG_VALUES: Values = ['0', '-1', '1.5', '1e3', 'NaN', 'Infinity', '', ' 1', 'TRUE', 'yes', '2', 'other'];
const LONG_LENGTHS = [61, 129, 513, 1025, 4096, 17_000] as const;
const LETTERS: Values = [
  'a',
  'e',
  'n',
  'r',
  'i',
  'o',
  's',
  't',
  'l',
  ' ',
  'é',
  'ü',
  '山',
  'я',
  'ب',
  '-',
  ',',
  '1',
  '.',
  "'",
];

export const OPTION_NAMES = Object.keys(OPTIONS) as [OptionName, ...OptionName[]];

export function optionValue(choose: Choose, name: OptionName): string {
  const kind = choose(40);
  if (kind < 32)
    return name === 'query' && rarely(choose, 10)
      ? randomText(choose, 1 + choose(16))
      : pick(choose, VALID[name] ?? [String(OPTIONS[name].example)]);
  if (kind < 35) return pick(choose, WRONG[name] ?? WRONG_VALUES);
  if (kind < 37) return randomText(choose, 1 + choose(10));
  if (kind < 39) return pick(choose, NONSENSE);
  return rarely(choose, 3) ? 'a'.repeat(pick(choose, LONG_LENGTHS)) : randomText(choose, 40);
}

export function randomText(choose: Choose, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    text += rarely(choose, 40) ? String.fromCharCode(choose(0x10000)) : pick(choose, LETTERS);
  }
  return text;
}
