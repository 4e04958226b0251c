/** Every hit shows why it matched, for any query. Over the embedded data. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { embeddedBytes, embeddedEngine as engine } from '../../../../test/support/embedded-engine.ts';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { openIndex } from '../../src/index-file/open-index.ts';
import type { Place } from '../../src/place/place.ts';
import { foldWords } from '../../src/text/fold.ts';
import { listSpellings } from '../../src/text/spellings.ts';

const QUERIES = 2000;
const LANGUAGES = [undefined, 'de', 'fr', 'es', 'pl', 'ru', 'el', 'ar', 'he', 'hi', 'th', 'ja', 'zh-TW', 'ko'];
const { readPlace } = openPlaces(openIndex(embeddedBytes));
const random = seededRandom(1);

test('every hit has a highlighted part or a matched name, unless the query names its region alone', () => {
  let hitCount = 0;
  const unexplained: string[] = [];
  for (let i = 0; i < QUERIES; i++) {
    const text = aText();
    if (foldWords(text).length === 0) continue;
    const language = oneOf(LANGUAGES);
    const { hits, matchedRegion } = engine.search({ text, limit: 20, language, explain: true });
    for (const { highlight, matchedName, record, ranking } of hits) {
      const isByRegion = /regionAlone$|countyAlone$/i.test(ranking?.stage ?? '');
      if (isByRegion && matchedRegion !== undefined) continue;
      hitCount++;
      const isHighlighted = (highlight?.ranges.length ?? 0) > 0;
      const hasMatchedName = matchedName !== undefined && matchedName.value !== record.name;
      if (!isHighlighted && !hasMatchedName) unexplained.push(`"${text}" in ${language}: ${record.name}`);
    }
  }
  assert.deepEqual(unexplained, []);
  assert.ok(hitCount > 3 * QUERIES, `${hitCount} hits`);
});

/** A name of a random place in some form: unfinished, misspelt, with a region, and so on. */
function aText(): string {
  const place = readPlace(random(engine.dataset.places));
  const { value } = random(2) === 0 ? place.names[0]! : oneOf(place.names);
  const name = oneOf([value, value, oneOf(listSpellings(value)) ?? value]);
  const words = name.split(/[\s-]+/u);
  const forms = [
    () => name,
    () => startOf(name),
    () => misspelt(name),
    () => misspelt(startOf(name)),
    () => misspelt(misspelt(name)),
    () => words.toReversed().join(' '),
    () => words.at(-1)!,
    () => `${name}, ${regionOf(place)}`,
    () => `${regionOf(place)} ${name}`,
    () => `${name} ${startOf(regionOf(place))}`,
    () => `${name}, ${misspelt(regionOf(place))}`,
    () => `${misspelt(name)} ${regionOf(place)}`,
    () => `weather ${name}`,
  ];
  return oneOf(forms)();
}

function regionOf(place: Place): string {
  const { regions } = engine.get(place.id)!.record;
  return oneOf([regions.country, regions.countryCode, ...regions.administrative, ...regions.county]);
}

function startOf(text: string): string {
  const letters = [...text];
  return letters.slice(0, 1 + random(letters.length)).join('');
}

/** The text with one random edit; a space counts as a letter. */
function misspelt(text: string): string {
  const letters = [...text];
  const at = random(letters.length);
  const edits = [
    () => letters.toSpliced(at, 1),
    () => letters.toSpliced(at, 0, oneOf([...letters, ' '])),
    () => letters.with(at, oneOf(letters)),
    () => letters.toSpliced(at, 2, ...letters.slice(at, at + 2).reverse()),
    () => letters.filter((letter) => letter !== ' '),
  ];
  return letters.length === 0 ? text : oneOf(edits)().join('');
}

function oneOf<T>(items: readonly T[]): T {
  return items[random(items.length)]!;
}
