/**
 * One spelling for each mark and word of coordinates: digits 0 to 9, the marks . , ° ' " -, the
 * letters N S E W, and the labels lat and lng.
 */

const ENTITIES: Record<string, string> = { deg: '°', prime: "'", apos: "'", quot: '"', minus: '-', nbsp: ' ' };
/** The digit zero in Arabic, Persian, Devanagari, Bengali and Thai. Nine digits follow each. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

export function withPlainMarks(text: string): string {
  const unescaped = decoded(text).replace(/&(?:#(\d{2,4})|([a-z]{3,5}));/gi, (entity, code, name) =>
    code === undefined ? (ENTITIES[name.toLowerCase()] ?? entity) : String.fromCharCode(code),
  );
  const plain = /[^ -~]/.test(unescaped) ? withoutLookAlikes(unescaped) : unescaped;
  return plain
    .replace(/[*`]/g, (mark) => (mark === '*' ? '°' : "'"))
    .replace(/''/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Marks come before NFKC, which would turn º into o, and ″ into two marks. */
function withoutLookAlikes(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '') // invisible marks of direction, which some programs copy
    .replace(/Â(?=[°º])/gu, '') // UTF-8 read as Latin-1
    .replace(/[º˚∘⁰ᵒ]/gu, '°')
    .replace(/[′’‘ʹʼ´‛‵]/gu, "'")
    .replace(/[″”“ʺ˝‟„‶]/gu, '"')
    .normalize('NFKC')
    .replace(/[−–‐‒]/gu, '-')
    .replace(/[、،]/gu, ',')
    .replace(/؛/gu, ';')
    .replace(/٫/gu, '.')
    .replace(/[٠-٩۰-۹०-९০-৯๐-๙]/gu, (digit) => {
      const code = digit.charCodeAt(0);
      return String(code - ZEROS.findLast((zero) => zero <= code)!);
    });
}

/** Undoes percent-encoding if there is any. */
function decoded(text: string): string {
  if (!/%[0-9a-f]{2}/i.test(text)) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Words of the languages in which people write coordinates most, by what stands for them. */
const SYMBOLS: Record<string, string> = {
  '°': 'deg degs degree degrees grad grados degrés gradi graus градусов градуса 度 도',
  "'": 'min mins minute minutes minuten minutos minuti минут минуты 分 분',
  '"': 'sec secs second seconds secondes sekunden segundos secondi секунд секунды 秒 초',
  lat: 'lat latitude latitud latitudine breite breitengrad широта широты 緯度 纬度 위도',
  lng: 'lng lon long longitude longitud longitudine länge längengrad долгота долготы 経度 經度 经度 경도',
  'lat lng': 'latlng latlon latlong',
  'lng lat': 'lnglat lonlat longlat',
  N: 'сш 北緯 北纬 북위',
  S: 'юш 南緯 南纬 남위',
  E: 'ö ø вд 東経 東經 东经 동경',
  W: 'зд 西経 西經 西经 서경',
  ',': 'and und et y и',
  '': 'gps coord coords coordinate coordinates coordonnées coordenadas koordinaten координаты location position wgs wgs84 de',
};
/** Not for whole degrees without a mark: "50 North 100 West" is an address in Utah. */
const HEMISPHERES: Record<string, string> = {
  N: 'north northern nord norte nördlich nördliche nördlicher северной',
  S: 'south southern sud süd sur sul südlich südliche südlicher южной',
  E: 'east eastern est este ost leste östlich östliche östlicher восточной',
  W: 'west western ouest oeste ovest westlich westliche westlicher западной',
};
const SYMBOL_BY_WORD = symbolByWord(SYMBOLS);
const HEMISPHERE_BY_WORD = symbolByWord(HEMISPHERES);
/** East Asian words, which have no spaces between them; Russian abbreviations; other words. */
const WORD =
  /[北南東东西][緯纬経經经]|[緯纬経經经]度|[度分秒]|[북남]위|[동서]경|[도분초]|[сю]\. ?ш\.?|[вз]\. ?д\.?|wgs ?84|\p{L}+/giu;

/**
 * For text with plain marks. Also removes what may stand before and after coordinates. Undefined
 * if the text has a word that is no part of coordinates, as most texts with two numbers do.
 */
export function withPlainWords(text: string): string | undefined {
  for (const [word] of text.matchAll(/\p{Script=Latin}{3,}/gu)) {
    const key = word.toLowerCase();
    if (!SYMBOL_BY_WORD.has(key) && !HEMISPHERE_BY_WORD.has(key)) return undefined;
  }
  const marked = text
    // 48d51m30s
    .replace(/(\d) ?d ?(\d\d?(?:[.,]\d+)?) ?m(?: ?(\d\d?(?:[.,]\d+)?) ?s)?/giu, (_, degrees, minutes, seconds) =>
      seconds === undefined ? `${degrees}°${minutes}'` : `${degrees}°${minutes}'${seconds}"`,
    )
    // 48d51'   48o51'
    .replace(/(?<![\d.,'"] ?)(\d{1,3}) ?[do](?= ?\d\d?(?:[.,]\d+)? ?')/gu, '$1°')
    .replace(WORD, (word) => SYMBOL_BY_WORD.get(word.toLowerCase().replace(/[. ]/gu, '')) ?? word);
  const isPrecise = /\d[.,]\d|°/u.test(marked);
  const plain = isPrecise
    ? marked.replace(/\p{L}+/gu, (word) => HEMISPHERE_BY_WORD.get(word.toLowerCase()) ?? word)
    : marked;
  return plain
    .replace(/(?<!\p{L})([NSEWO]) ?[.:=]+(?!\p{L})/giu, '$1') // N.   E:
    .replace(/\( ?\)/gu, '')
    .replace(/ +/gu, ' ')
    .replace(/(?<=[°'"\d] ?)(lat|lng) ([NSEW])(?! ?\d)/gu, '$2 $1') // 48°51' latitude nord
    .replace(/^[:= ]+|[.,; ]+$/gu, '');
}

function symbolByWord(wordsBySymbol: Record<string, string>): ReadonlyMap<string, string> {
  const entries = Object.entries(wordsBySymbol);
  return new Map(entries.flatMap(([symbol, words]) => words.split(' ').map((word) => [word, symbol] as const)));
}
