/**
 * Writes packages/engine/src/text/search-words.ts from tables/search-words.tsv: `node scripts/search-words.js`.
 * Searches need these words in browsers, which cannot read the table.
 */
import { writeFileSync } from 'node:fs';
import { readTable } from 'toponym-gazetteer/sources/tables';

const FILE = new URL('../packages/engine/src/text/search-words.ts', import.meta.url);

/** The code of the module. */
export function searchWordsModule() {
  const rows = readTable('search-words');
  const constantOf = (/** @type {string} */ name, /** @type {string} */ meaning) => {
    const words = new Set(rows.filter((row) => row.meaning === meaning).map(({ word }) => word));
    return `export const ${name} =\n  '${[...words].join(' ')}';\n`;
  };
  return `/** Written by scripts/search-words.js from tables/search-words.tsv. */

/** Words that mean airport. */
${constantOf('AIRPORT_WORDS', 'airport')}
/** Other words that people add to place names: "city". */
${constantOf('GENERIC_WORDS', 'generic')}
/** Articles, prepositions, conjunctions and the frequent "san". */
${constantOf('PARTICLES', 'particle')}`;
}

if (import.meta.main) writeFileSync(FILE, searchWordsModule());
