/**
 * Phonetic skeletons: the first three consonants of a word, roughly. They show that "Londres" and
 * "Londra" are forms of "London", and that "Saint Charles" is not a form of "Denver". Only for
 * Latin letters.
 */

/** Groups of consonants that sound alike; the first of each stands for the group. */
const SOUNDS = ['pbvwf', 'kcqgxj', 'sz', 'td', 'mn', 'l', 'r'];
const CODES = new Map(SOUNDS.flatMap((sound) => [...sound].map((letter) => [letter, sound.charAt(0)] as const)));

const MAX_LENGTH = 3;

/** The skeleton of each word of a folded text. A word without consonants has its first letter. */
export function phoneticSkeletons(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < MAX_LENGTH; i++) {
      const code = CODES.get(word.charAt(i));
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code;
    }
    return skeleton || word.charAt(0);
  });
}
