/** What the columns of a table mean, guessed from their headings by the table `headings`. */
import { fold } from 'toponym-engine/text/fold';
import { readTable } from '../tables.ts';

let rowsByMeaning: ReturnType<typeof groupRows> | undefined;

function groupRows() {
  return Map.groupBy(readTable('headings'), ({ meaning }) => meaning);
}

/** The index of the column that means this, or undefined. A whole heading counts more than a word of one. */
export function findHeading(headings: readonly string[], meaning: string): number | undefined {
  rowsByMeaning ??= groupRows();
  const known = (rowsByMeaning.get(meaning) ?? []).map(({ heading }) => fold(heading));
  const folded = headings.map((heading) => fold(heading.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')));
  const isSame = (heading: string, word: string) => heading.replaceAll(' ', '') === word.replaceAll(' ', '');
  // "billing_city" and "homeCity" are cities
  const hasWord = (heading: string, word: string) => word.length > 2 && ` ${heading} `.includes(` ${word} `);
  for (const isMatch of [isSame, hasWord]) {
    for (const word of known) {
      const at = folded.findIndex((heading) => isMatch(heading, word));
      if (at !== -1) return at;
    }
  }
  return undefined;
}
