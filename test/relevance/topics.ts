/** All cases by topic. The name of a topic is its key in `floor.json`. */
import { airports } from './cases/airports.ts';
import { alphabets } from './cases/alphabets.ts';
import { arabicIndicThai } from './cases/arabic-indic-thai.ts';
import { bias } from './cases/bias.ts';
import { duplicates } from './cases/duplicates.ts';
import { eastAsian } from './cases/east-asian.ts';
import { exonyms } from './cases/exonyms.ts';
import { famousCities } from './cases/famous-cities.ts';
import { filters } from './cases/filters.ts';
import { joinedAndSplit } from './cases/joined-and-split.ts';
import { labels } from './cases/labels.ts';
import { lettersAndMarks } from './cases/letters-and-marks.ts';
import { namesakes } from './cases/namesakes.ts';
import { numbersAndPunctuation } from './cases/numbers-and-punctuation.ts';
import { prefixes } from './cases/prefixes.ts';
import { regionWords } from './cases/region-words.ts';
import { regions } from './cases/regions.ts';
import { saintsAndMounts } from './cases/saints-and-mounts.ts';
import { shortNames } from './cases/short-names.ts';
import { smallPlaces } from './cases/small-places.ts';
import { superfluousWords } from './cases/superfluous-words.ts';
import { typos } from './cases/typos.ts';
import { wordOrder } from './cases/word-order.ts';
import type { RelevanceCase } from './relevance-case.ts';

export interface Topic {
  readonly name: string;
  readonly cases: readonly RelevanceCase[];
}

export const TOPICS: readonly Topic[] = [
  { name: 'famous cities', cases: famousCities },
  { name: 'exonyms', cases: exonyms },
  { name: 'alphabets', cases: alphabets },
  { name: 'arabic indic thai', cases: arabicIndicThai },
  { name: 'east asian', cases: eastAsian },
  { name: 'prefixes', cases: prefixes },
  { name: 'typos', cases: typos },
  { name: 'joined and split', cases: joinedAndSplit },
  { name: 'letters and marks', cases: lettersAndMarks },
  { name: 'saints and mounts', cases: saintsAndMounts },
  { name: 'regions', cases: regions },
  { name: 'region words', cases: regionWords },
  { name: 'namesakes', cases: namesakes },
  { name: 'small places', cases: smallPlaces },
  { name: 'bias', cases: bias },
  { name: 'filters', cases: filters },
  { name: 'word order', cases: wordOrder },
  { name: 'superfluous words', cases: superfluousWords },
  { name: 'short names', cases: shortNames },
  { name: 'numbers and punctuation', cases: numbersAndPunctuation },
  { name: 'duplicates', cases: duplicates },
  { name: 'labels', cases: labels },
  { name: 'airports', cases: airports },
];
