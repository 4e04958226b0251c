/** Phonetic skeletons: roughly the first three consonants, alike in "Londres" and "London". */

/** Consonants that sound alike, without h and y. The code of a group is its first letter. */
const SOUNDS = ['pbvwf', 'kcqgxj', 'sz', 'td', 'mn', 'l', 'r'];
const CODE_BY_LETTER = new Map(
  SOUNDS.flatMap((letters) => [...letters].map((letter) => [letter, letters.charAt(0)] as const)),
);

const MAX_LENGTH = 3;

/** Skeletons of Latin words; for a word without consonants, its first letter. */
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
