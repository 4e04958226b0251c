/**
 * Phonetic skeletons: the first three consonants of a word, roughly. They show that "Londres" and
 * "Londra" are forms of "London", and that "Saint Charles" is not a form of "Denver". They work for
 * Latin letters only.
 */

/** Groups of consonants that sound alike, without h and y. A group's code is its first letter. */
const SOUNDS = ['pbvwf', 'kcqgxj', 'sz', 'td', 'mn', 'l', 'r'];
const CODE_BY_LETTER = new Map(
  SOUNDS.flatMap((letters) => [...letters].map((letter) => [letter, letters.charAt(0)] as const)),
);

const MAX_LENGTH = 3;

/** The skeleton of each word of a folded text; for a word without consonants, its first letter. */
export function phoneticSkeletons(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < MAX_LENGTH; i++) {
      const code = CODE_BY_LETTER.get(word.charAt(i));
      // consonants of one group in a row count once, even with vowels between them
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code;
    }
    return skeleton || word.charAt(0);
  });
}
