import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NameKind, PlaceName } from 'toponym-engine/place/place';
import { addedNames } from '../../../src/sources/geonames/added-names.ts';
import { assignLanguages, type PlaceFacts } from '../../../src/sources/geonames/assign-languages.ts';
import { romanize } from '../../../src/sources/geonames/similarity.ts';

/** The name shown in each language: the first one with that language. */
function shown(main: string, alternates: string, facts: Partial<PlaceFacts> = {}): Record<string, string> {
  const names: PlaceName[] = [{ value: main, kind: 'main' }, ...alternates.split(',').map(alternate)];
  const assigned = assignLanguages(names, { country: 'XX', timezone: '', population: 0, ...facts });
  const byLanguage: Record<string, string> = {};
  for (const { value, language } of assigned) if (language !== undefined) byLanguage[language] ??= value;
  return byLanguage;
}

function alternate(value: string): PlaceName {
  const kind: NameKind = 'alternate';
  return { value, kind };
}

test('letters tell Russian, Ukrainian, Belarusian and Serbian names apart', () => {
  const names = shown('Guayaquil', 'Гвајакил,Гуаякил,Гуаякиль,Гуаякіль', { country: 'EC' });
  assert.equal(names.ru, 'Гуаякиль');
  assert.equal(names.uk, 'Гуаякіль');
  assert.equal(names.be, undefined);
  assert.equal(shown('Novi Sad', 'Нови Сад', { country: 'RS' }).sr, 'Нови Сад');
});

test('a Russian spelling is not shown as Ukrainian', () => {
  const names = shown('Kinshasa', 'Киншаса');
  assert.equal(names.ru, 'Киншаса');
  assert.equal(names.uk, undefined);
});

test('a name that two languages spell alike is shown in both', () => {
  const names = shown('Lagos', 'Лагос');
  assert.deepEqual([names.ru, names.uk], ['Лагос', 'Лагос']);
});

test('the name most similar to the main name is shown, not a former one', () => {
  assert.equal(shown('Mariupol', 'Жданов,Мариуполь').ru, 'Мариуполь');
  assert.equal(shown('Istanbul', 'Βυζάντιο,Ισταμπούλ').el, 'Ισταμπούλ');
});

test('letters tell Arabic, Persian and Urdu names apart', () => {
  const names = shown('Faisalabad', 'فيصل آباد,فیصل آباد,فیصل آباڈ');
  assert.equal(names.ar, 'فيصل آباد');
  assert.equal(names.fa, 'فیصل آباد');
  assert.equal(names.ur, 'فیصل آباڈ');
});

test('a Hebrew name is preferred to a Yiddish one, a Hindi name to a Marathi one', () => {
  assert.equal(shown('Stockholm', 'שטאקהאלם,סטוקהולם').he, 'סטוקהולם');
  // Hebrew ends such a name with ה
  assert.equal(shown('Skvyra', 'סקווירא,סקווירה').he, 'סקווירה');
  assert.equal(shown('Rawalpindi', 'रावळपिंडी,रावलपिंडी').hi, 'रावलपिंडी');
});

test('simplified, traditional and Japanese characters are told apart', () => {
  const names = shown('Yokohama', '横浜市,橫濱市,横滨市', { country: 'JP' });
  assert.deepEqual([names.ja, names.zh, names['zh-Hant']], ['横浜市', '横滨市', '橫濱市']);
  assert.equal(shown('Berlin', '柏林,ベルリン', { country: 'DE' }).ja, 'ベルリン');
});

test('a Japanese place has a Japanese name, not a simplified Chinese one', () => {
  const japanese = (names: string) => shown('Nagano', names, { country: 'JP' }).ja;
  assert.equal(japanese('长野,長野'), '長野');
  assert.equal(japanese('长野市,長野'), '長野');
  assert.equal(japanese('桥本,橋本,橋本市'), '橋本市');
  // 廣 is a former Japanese form: better than a simplified one, but not as good as 広
  assert.equal(japanese('广岛,廣島'), '廣島');
  assert.equal(japanese('廣島,広島'), '広島');
  // 板 is simplified for another character, but also traditional and Japanese
  assert.equal(japanese('板桥,板橋'), '板橋');
  // Chinese leaves out the kana of 茅ヶ崎市; ちがさき is a reading
  assert.equal(japanese('茅崎市,ちがさき,茅ヶ崎市'), '茅ヶ崎市');
});

test('the only Chinese name is shown for simplified Chinese, even if it is traditional', () => {
  const names = shown('Addis Ababa', '阿迪斯阿貝巴');
  assert.deepEqual([names.zh, names['zh-Hant']], ['阿迪斯阿貝巴', undefined]);
});

test('of Chinese names outside East Asia, one without the word for city is shown', () => {
  const names = shown('Rome', '罗马市,羅馬', { country: 'IT' });
  assert.deepEqual([names.zh, names['zh-Hant']], ['羅馬', '羅馬']);
  assert.equal(shown('Rome', '罗马市,羅馬,罗马', { country: 'IT' }).zh, '罗马');
});

test('Japanese shows a Korean city in Chinese characters only if it has no name in kana', () => {
  assert.equal(shown('Cheonan', '天安市,천안', { country: 'KR' }).ja, '天安市');
  assert.equal(shown('Daegu', '大邱広域市,テグ', { country: 'KR' }).ja, 'テグ');
});

test('tables by id state the languages of names, the language of the country first', () => {
  const added = ['no', 'it', 'cs'].map((language): PlaceName => ({ ...alternate('Venezia'), language }));
  const names = [alternate('Venezia'), alternate('Venedig')];
  const facts = { country: 'IT', timezone: '', population: 0, added };
  assert.deepEqual(
    assignLanguages([{ value: 'Venice', kind: 'main' }, ...names], facts).map(({ value, language }) => [
      value,
      language,
    ]),
    [
      ['Venice', undefined],
      ['Venezia', 'it'],
      ['Venezia', 'no'],
      ['Venezia', 'cs'],
      ['Venedig', undefined],
    ],
  );
});

test('a name whose language a table states is not taken for another language of its script', () => {
  const names = (language: string) => [
    { ...alternate('آرتزو'), language: 'fa' },
    { ...alternate('أريتسو'), language },
  ];
  const facts = { country: 'IT', timezone: '', population: 0, added: names('ar') };
  const assigned = assignLanguages([{ value: 'Arezzo', kind: 'main' }, ...names('ar')], facts);
  assert.deepEqual(
    assigned
      .slice(1)
      .map(({ value, language }) => [language, value])
      .sort(),
    [
      ['ar', 'أريتسو'],
      ['fa', 'آرتزو'],
    ],
  );
});

test('names of well-known cities come from the tables', () => {
  const facts = { country: 'DE', timezone: 'Europe/Berlin', population: 1_260_391 };
  const names = shown('Munich', 'Monachium,Monaco di Baviera,Muenchen,Munique,München,Minga', facts);
  assert.deepEqual([names.de, names.it, names.pl, names.pt], ['München', 'Monaco di Baviera', 'Monachium', 'Munique']);
  assert.equal(shown('Berlin', 'Berlino,Berlín,Берлин', { ...facts, population: 0 }).es, 'Berlín');
  assert.equal(shown('Munich', 'München', { ...facts, population: 900 }).de, undefined);
});

test('a name that is chosen for two languages comes before other names in the second one', () => {
  const names = shown('Osaka', 'おおさか,大阪市', { country: 'JP' });
  assert.deepEqual([names.zh, names.ja], ['大阪市', '大阪市']);
});

test('the main name stays first, names to show come next, each once for each of its languages', () => {
  const names = assignLanguages(
    ['Lagos', 'Lagosi', 'Лагос'].map((value, i) => ({ value, kind: i === 0 ? 'main' : 'alternate' })),
    {
      country: 'NG',
      timezone: '',
      population: 0,
    },
  );
  assert.deepEqual(
    names.map(({ value, language }) => `${value} ${language ?? '-'}`),
    ['Lagos -', 'Лагос ru', 'Лагос uk', 'Lagosi -'],
  );
});

test('machine romanisations and codes are never chosen', () => {
  const names = assignLanguages(
    [
      { value: 'Москва', kind: 'main' },
      { value: 'МСК', kind: 'code' },
      { value: 'moskva', kind: 'romanized' },
    ],
    { country: 'RU', timezone: '', population: 0 },
  );
  assert.deepEqual(
    names.map(({ language }) => language),
    [undefined, undefined, undefined],
  );
});

test('a language given with a name is used if no other name is chosen for it', () => {
  const names = assignLanguages(
    [
      { value: 'Vienna', kind: 'main' },
      { value: 'Вена', kind: 'alternate' },
      { value: 'Бечен', kind: 'alternate', language: 'ru' },
      { value: 'व्हिएन्ना', kind: 'alternate', language: 'mr' },
      { value: 'भियना', kind: 'alternate', language: 'ne' },
    ],
    { country: 'AT', timezone: '', population: 0 },
  );
  const shown = (tag: string) => names.find(({ language }) => language === tag)?.value;
  assert.deepEqual([shown('ru'), shown('mr'), shown('ne')], ['Вена', 'व्हिएन्ना', 'भियना']);
});

test('names that GeoNames lacks are listed by GeoNames id, with their languages', () => {
  const vienna = addedNames('2761369');
  // from our own table, and from that of CLDR
  assert.deepEqual(
    vienna.filter(({ language }) => language === 'hi' || language === 'ja'),
    [
      { value: 'वियना', kind: 'alternate', language: 'hi' },
      { value: 'विएना', kind: 'alternate', language: 'hi' },
      { value: 'ウィーン', kind: 'alternate', language: 'ja' },
    ],
  );
});

test('a language may have several names, and most places have none to add', () => {
  const montreal = addedNames('6077243').filter(({ language }) => language === 'zh-Hant');
  assert.deepEqual(
    montreal.map(({ value }) => value),
    ['蒙特婁', '滿地可'],
  );
  assert.deepEqual(addedNames('1'), []);
});

test('tables also state the languages of names that GeoNames has', () => {
  const venice = addedNames('3164603').filter(({ language }) => language === 'de' || language === 'it');
  assert.deepEqual(
    venice.map(({ value, language }) => [language, value]),
    [
      ['de', 'Venedig'],
      ['it', 'Venezia'],
    ],
  );
  assert.deepEqual(addedNames('2964180'), [{ value: 'Galway', kind: 'alternate', language: 'en' }]);
});

test('a city that a division is called after gets the names of the division', () => {
  assert.deepEqual(
    addedNames('128226').map(({ value, language }) => [language, value]),
    [
      ['bn', 'কের্মনশহ'],
      ['el', 'Κερμανσάχ'],
      ['gu', 'કર્માનશાહ'],
      ['he', 'כרמאנשאה'],
      ['hi', 'करमानशाह'],
      ['kn', 'ಕೆರ್ಮನ್ಶಾ'],
      ['ko', '케르만샤'],
      ['mr', 'कर्मानशाह'],
      ['ta', 'கெர்மன்ஷாஹ்'],
      ['th', 'เกอร์มันซา'],
      ['ur', 'کرمانشاہ'],
    ],
  );
});

test('names in languages that the tables got later make a city no more important', () => {
  const unranked = (id: string) => addedNames(id).flatMap(({ language, isUnranked }) => (isUnranked ? [language] : []));
  assert.deepEqual(unranked('128226'), ['bn', 'gu', 'kn', 'mr', 'ta', 'th', 'ur']); // Kermanshah
  assert.deepEqual(unranked('2306104'), ['gu', 'kn', 'ml', 'mr', 'pa']); // Accra
});

test('nicknames, abbreviations and airports are in no single language, so that they are never shown', () => {
  const johannesburg = addedNames('993800').filter(({ language }) => language === undefined || language === 'mul');
  assert.deepEqual(johannesburg, [
    { value: 'JHB', kind: 'alternate', language: 'mul' },
    { value: 'Jozi', kind: 'alternate', language: 'mul' },
    { value: 'HLA', kind: 'code' },
    { value: 'O.R. Tambo Airport', kind: 'code' },
  ]);
});

test('an airport leads to the city that it serves, not to the village beside the runway', () => {
  const airportsOf = (id: string) => addedNames(id).flatMap(({ value, kind }) => (kind === 'code' ? [value] : []));
  assert.deepEqual(airportsOf('2988507'), ['BVA', 'CDG', 'Charles de Gaulle Airport', 'ORY']);
  assert.deepEqual(airportsOf('1850147'), ['HND', 'Haneda Airport', 'NRT']);
  assert.deepEqual(airportsOf('2643743'), ['Gatwick Airport', 'Heathrow Airport', 'LCY', 'LGW', 'LHR', 'LTN', 'STN']);
});

const EXAMPLES: readonly (readonly [string, string, string])[] = [
  ['Cyrillic', 'Объёмный', 'obyomnyy'],
  ['Greek vowels with accents', 'Αθήνα Ρόδος Καΐρ', 'athinarodoskair'],
  ['ancient Greek accents', 'Ἀθῆναι', 'athinai'],
  ['Hindi letters with a dot below', 'ज़ड़ढ़फ़', 'zrrf'],
  ['Hindi letters with a dot below, as one character each', '\u095b\u095c\u095d\u095e', 'zrrf'],
  ['a dot below that changes no sound', 'ल़य़', 'ly'],
  ['Latin letters stay, digits are left out', 'Zone 5', 'zone'],
];

for (const [rule, text, expected] of EXAMPLES) {
  test(`romanisation: ${rule}`, () => assert.equal(romanize(text), expected));
}
