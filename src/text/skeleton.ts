/**
 * The sound of a name in its first three consonants, roughly: enough to see that "Londres" and "Londra" are London
 * and that "Saint Charles" is not Denver. Latin letters only; other scripts have no skeleton.
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

const LENGTH = 3;

/** Skeletons of a folded text's words; of a word without consonants, its first letter. */
export function skeletonsOf(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < LENGTH; i++) {
      const code = CODES[word[i] as string];
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code;
    }
    return skeleton || (word[0] ?? '');
  });
}
