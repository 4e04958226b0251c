/** Compares names by sound: romanised roughly, letter by letter. */

const VOWELS = 'aeiouy';
/** Consonants that languages often exchange. c and j have two sounds each. */
const SIMILAR_CONSONANTS = ['bpvfw', 'dt', 'gkqchxj', 'szcj', 'lr', 'mn'];
/** Costs of adding or leaving out a letter. */
const EXTRA = { vowel: 0.4, consonant: 1 } as const;
const EXCHANGE = { vowels: 0.3, similarConsonants: 0.5, others: 1 } as const;

/** From 0 (nothing in common) to 1 (the same letters). */
export function similarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer === 0 ? 0 : Math.max(0, 1 - editDistance(a, b) / longer);
}

/** Levenshtein's algorithm with the costs above. */
function editDistance(a: string, b: string): number {
  let previous = [0];
  for (let j = 1; j <= b.length; j++) previous.push(previous[j - 1]! + extraCost(b[j - 1]!));
  for (let i = 1; i <= a.length; i++) {
    const current = [previous[0]! + extraCost(a[i - 1]!)];
    for (let j = 1; j <= b.length; j++) {
      current.push(
        Math.min(
          previous[j - 1]! + exchangeCost(a[i - 1]!, b[j - 1]!),
          previous[j]! + extraCost(a[i - 1]!),
          current[j - 1]! + extraCost(b[j - 1]!),
        ),
      );
    }
    previous = current;
  }
  return previous[b.length]!;
}

/** An h is as cheap as a vowel, because s and sh, t and th are alike. */
function extraCost(letter: string): number {
  return VOWELS.includes(letter) || letter === 'h' ? EXTRA.vowel : EXTRA.consonant;
}

function exchangeCost(a: string, b: string): number {
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return EXCHANGE.vowels;
  const areSimilar = SIMILAR_CONSONANTS.some((group) => group.includes(a) && group.includes(b));
  return areSimilar ? EXCHANGE.similarConsonants : EXCHANGE.others;
}

/** Spelling of each letter; empty for a letter without a sound. */
const SPELLINGS = new Map(
  [
    // Cyrillic
    'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i й:y к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:sh',
    'ъ: ы:y ь: э:e ю:yu я:ya ё:yo і:i ї:yi є:ye ґ:g ў:u ј:y љ:ly њ:ny ћ:ch ђ:dj џ:dj ѓ:g ќ:k ѕ:dz',
    'ә:a ғ:g қ:k ң:n ө:o ұ:u ү:u һ:h ӣ:i ӯ:u ҳ:h ҷ:j',
    // Greek
    'α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:i φ:f χ:ch ψ:ps ω:o',
    // Arabic and Persian; short vowels are not written
    'ا:a أ:a إ:i آ:a ب:b ة:a ت:t ث:th ج:j ح:h خ:kh د:d ذ:dh ر:r ز:z س:s ش:sh ص:s ض:d ط:t ظ:z ع:a غ:g ف:f ق:q',
    'ك:k ک:k ل:l م:m ن:n ه:h و:o ي:i ی:i ى:a ء: ئ:i ؤ:o پ:p چ:ch ژ:zh گ:g',
    // Hebrew
    'א:a ב:b ג:g ד:d ה:h ו:o ז:z ח:h ט:t י:i כ:k ך:k ל:l מ:m ם:m נ:n ן:n ס:s ע:a פ:p ף:f צ:ts ץ:ts ק:k ר:r ש:sh ת:t',
    // Devanagari; the inherent vowel is not written
    'अ:a आ:a इ:i ई:i उ:u ऊ:u ए:e ऐ:ai ओ:o औ:au ऑ:o ा:a ि:i ी:i ु:u ू:u े:e ै:ai ो:o ौ:au ॉ:o ं:n ँ:n',
    'क:k ख:kh ग:g घ:gh ङ:n च:ch छ:ch ज:j झ:jh ञ:n ट:t ठ:th ड:d ढ:dh ण:n त:t थ:th द:d ध:dh न:n प:p फ:f ब:b भ:bh',
    'म:m य:y र:r ल:l व:v श:sh ष:sh स:s ह:h क़:k ख़:kh ग़:g ज़:z ड़:r ढ़:r फ़:f',
  ]
    .join(' ')
    .normalize('NFC')
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** A letter, with the dot below of Devanagari, which NFC keeps separate. */
const LETTER = /.\u093c?/gsu;

/** Romanises a text. An unknown letter is spelt without its marks, or left out. */
export function romanize(text: string): string {
  let romanized = '';
  for (const [letter] of text.toLowerCase().normalize('NFC').matchAll(LETTER)) {
    const isLatin = letter >= 'a' && letter <= 'z';
    romanized += isLatin ? letter : (SPELLINGS.get(letter) ?? SPELLINGS.get(withoutMarks(letter)) ?? '');
  }
  return romanized;
}

function withoutMarks(letter: string): string {
  const [plain = ''] = letter.normalize('NFD');
  return plain;
}
