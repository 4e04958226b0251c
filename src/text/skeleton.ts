/**
 * Phonetic skeletons: the first three consonants of a word, roughly. They show that "Londres" and
 * "Londra" are forms of "London", and that "Saint Charles" is not a form of "Denver". Only for
 * Latin letters.
 */

/** Consonants that sound alike. The first of each group is its code in skeletons. */
const SOUNDS = ['pbvwf', 'kcqgxj', 'sz', 'td', 'mn', 'l', 'r'];
const CODE_BY_LETTER = new Map(
  SOUNDS.flatMap((sound) => [...sound].map((letter) => [letter, sound.charAt(0)] as const)),
);

const MAX_LENGTH = 3;

/** The skeleton of each word of a folded text; the first letter of a word without consonants. */
export function phoneticSkeletons(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < MAX_LENGTH; i++) {
      const code = CODE_BY_LETTER.get(word.charAt(i));
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code; // "ll" counts once
    }
    return skeleton || word.charAt(0);
  });
}
