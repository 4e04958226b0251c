/** Guesses the language of a name from its script, unless several languages share the script. */

/**
 * A range of UTF-16 code units, both ends inclusive. No two blocks share a row of 16 code units.
 */
type Block = readonly [first: number, last: number, language: string];

const BLOCKS: readonly Block[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0530, 0x058f, 'hy'],
  [0x0780, 0x07bf, 'dv'],
  [0x0980, 0x09ff, 'bn'],
  [0x0a00, 0x0a7f, 'pa'],
  [0x0a80, 0x0aff, 'gu'],
  [0x0b00, 0x0b7f, 'or'],
  [0x0b80, 0x0bff, 'ta'],
  [0x0c00, 0x0c7f, 'te'],
  [0x0c80, 0x0cff, 'kn'],
  [0x0d00, 0x0d7f, 'ml'],
  [0x0d80, 0x0dff, 'si'],
  [0x0e00, 0x0e7f, 'th'],
  [0x0e80, 0x0eff, 'lo'],
  [0x0f00, 0x0fff, 'bo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x1200, 0x139f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x1c50, 0x1c7f, 'sat'],
  [0x1f00, 0x1fff, 'el'],
  [0x3041, 0x3096, 'ja'],
  [0x30a1, 0x30fa, 'ja'],
  [0xac00, 0xd7af, 'ko'],
];

/**
 * Blocks by row of 16 code units. Scanning all blocks for each letter took a third of an import.
 */
const BLOCK_BY_ROW = new Array<Block | undefined>(0x10000 / 16).fill(undefined);
for (const block of BLOCKS) BLOCK_BY_ROW.fill(block, block[0] >> 4, (block[1] >> 4) + 1);
const FIRST_BLOCK_UNIT = 0x0370;

const HAN = /\p{Script=Han}/u;
/** Letters of the Bengali block that only Assamese uses. */
const ASSAMESE_LETTERS = /[\u09f0\u09f1]/;

/** BCP 47 tag; undefined if the letters point to no language or to several. */
export function guessLanguage(name: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i);
    if (unit < FIRST_BLOCK_UNIT) {
      // a single Latin letter rules out all blocks: "Θ-Stadt" is not Greek
      if (isLatinLetter(unit)) return undefined;
      continue;
    }
    const language = languageOfUnit(unit);
    if (language === undefined) continue;
    if (found !== undefined && found !== language) return undefined;
    found = language;
  }
  // Han with kana is Japanese, and Han with Hangul is Korean
  if (found !== undefined && found !== 'ja' && found !== 'ko' && HAN.test(name)) return undefined;
  return found === 'bn' && ASSAMESE_LETTERS.test(name) ? 'as' : found;
}

function languageOfUnit(unit: number): string | undefined {
  const block = BLOCK_BY_ROW[unit >> 4];
  return block !== undefined && unit >= block[0] && unit <= block[1] ? block[2] : undefined;
}

function isLatinLetter(unit: number): boolean {
  const lowerCased = unit | 0x20;
  const isAsciiLetter = lowerCased >= 0x61 && lowerCased <= 0x7a;
  const isAccentedLetter = unit >= 0xc0 && unit <= 0x24f;
  return isAsciiLetter || isAccentedLetter;
}
