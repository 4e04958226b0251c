/**
 * Computes the kana of Japanese names in Hepburn romanisation: Kamakura is かまくら. Input methods show
 * kana until the word is complete, and gazetteers list few readings.
 */

const HIRAGANA = new Map(
  [
    'a:あ i:い u:う e:え o:お ka:か ki:き ku:く ke:け ko:こ ga:が gi:ぎ gu:ぐ ge:げ go:ご',
    'sa:さ shi:し su:す se:せ so:そ za:ざ ji:じ zu:ず/づ ze:ぜ zo:ぞ ta:た chi:ち tsu:つ te:て to:と da:だ de:で do:ど',
    'na:な ni:に nu:ぬ ne:ね no:の ha:は hi:ひ fu:ふ he:へ ho:ほ ba:ば bi:び bu:ぶ be:べ bo:ぼ pa:ぱ pi:ぴ pu:ぷ pe:ぺ po:ぽ',
    'ma:ま mi:み mu:む me:め mo:も ya:や yu:ゆ yo:よ ra:ら ri:り ru:る re:れ ro:ろ wa:わ',
    'kya:きゃ kyu:きゅ kyo:きょ gya:ぎゃ gyu:ぎゅ gyo:ぎょ sha:しゃ shu:しゅ sho:しょ ja:じゃ ju:じゅ jo:じょ cha:ちゃ chu:ちゅ cho:ちょ',
    'nya:にゃ nyu:にゅ nyo:にょ hya:ひゃ hyu:ひゅ hyo:ひょ bya:びゃ byu:びゅ byo:びょ pya:ぴゃ pyu:ぴゅ pyo:ぴょ',
    'mya:みゃ myu:みゅ myo:みょ rya:りゃ ryu:りゅ ryo:りょ',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
/** Up to two consonants and a vowel, with a macron (U+0304) if the vowel is long. */
const SYLLABLE = /([^aiueo]{0,2}[aiueo])(\u0304?)/y;
/** The first of two equal consonants, or t before ch. */
const DOUBLED = /([kstpgdbzj])(?=\1)|t(?=ch)/y;
/** ん is n, n with an apostrophe (Jun'ichi), or m before b, m and p. */
const SYLLABIC_N = /n(?:['’]|(?![aiueoy]))|m(?=[bmp])/y;
/** A long o is う in Tōkyō and お in Ōsaka. */
const LENGTHENINGS: Readonly<Record<string, readonly string[]>> = {
  a: ['あ'],
  i: ['い'],
  u: ['う'],
  e: ['え'],
  o: ['う', 'お'],
};
const MAX_READINGS = 4;

/** Readings in hiragana; none if the name is not in Hepburn romanisation. */
export function kanaReadings(name: string): string[] {
  let readings = [''];
  for (const word of name
    .toLowerCase()
    .normalize('NFD')
    .split(/[\s-]+/)) {
    for (let at = 0; at < word.length; ) {
      const syllable = readSyllable(word, at);
      if (syllable === undefined) return [];
      readings = readings.flatMap((reading) => syllable.kana.map((kana) => reading + kana)).slice(0, MAX_READINGS);
      at = syllable.end;
    }
  }
  return readings.filter((reading) => reading !== '');
}

function readSyllable(word: string, at: number): { kana: readonly string[]; end: number } | undefined {
  if (matchAt(DOUBLED, word, at) !== null) return { kana: ['っ'], end: at + 1 };
  const syllabicN = matchAt(SYLLABIC_N, word, at);
  if (syllabicN !== null) return { kana: ['ん'], end: at + syllabicN[0].length };
  const match = matchAt(SYLLABLE, word, at);
  const [whole = '', letters = '', macron = ''] = match ?? [];
  const hiragana = HIRAGANA.get(letters)?.split('/');
  if (hiragana === undefined) return undefined;
  const lengthenings = macron === '' ? [''] : (LENGTHENINGS[letters.at(-1) as string] ?? []);
  return { kana: hiragana.flatMap((kana) => lengthenings.map((vowel) => kana + vowel)), end: at + whole.length };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
