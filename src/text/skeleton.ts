/**
 * Phonetic skeletons: the first three consonants of a word, roughly. They show that "Londres" and
 * "Londra" are London and that "Saint Charles" is not Denver. Only for Latin letters.
 */
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['bpvwf', 'p'],
    ['ckqgxj', 'k'],
    ['sz', 's'],
    ['dt', 't'],
    ['mn', 'm'],
    ['l', 'l'],
    ['r', 'r'],
  ].flatMap(([letters, code]) => [...(letters ?? '')].map((letter) => [letter, code ?? ''])),
);

const MAX_LENGTH = 3;

/** The skeleton of each word of a folded text: its first letter if it has no consonants. */
export function phoneticSkeletons(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < MAX_LENGTH; i++) {
      const code = CODES[word[i] as string];
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code;
    }
    return skeleton || (word[0] ?? '');
  });
}
