/**
 * Opens mutated indexes and runs queries on those that pass the checks. Prints `seed N` before
 * each, so that the caller knows which one hung, and a summary.
 * Usage: node fuzz-run.ts FIRST_SEED COUNT
 */

import { verifyIndex } from 'toponym-files/index-file';
import { openPlaces } from 'toponym-gazetteer/build/read-places';
import { describeIndex } from 'toponym-program/cli/print/index-description';
import { textFromByteString } from 'toponym-server/http/response/json-writer';
import { fullRecordJson, resultJson } from 'toponym-server/http/response/result-json';
import { seededRandom } from '../../../../test/support/seeded-random.ts';
import { IndexFormatError, openIndex } from '../../src/index-file/open-index.ts';
import { openEngine } from '../../src/open-engine.ts';
import { aFullIndex, MutableIndex, mutate } from './mutated-index.ts';

const TEXTS = [
  '',
  's',
  'san',
  'san bar',
  'saint 12',
  'sint 12',
  'sna caer1',
  'san, illinois',
  '聖1',
  'zzzz',
  'san dur texas',
];
const POINTS = [undefined, { lat: 48.8, lng: 2.3 }, { lat: -90, lng: 0 }];
/** A search takes well under a millisecond; this leaves room for a busy machine. */
const MAX_QUERIES_MS = 5000;

function runQueries(index: ArrayBuffer): void {
  const engine = openEngine(index);
  const frame = { query: '', hitsPerPage: 20, params: '', point: undefined, processingTimeMS: 0 };
  for (const text of TEXTS) {
    for (const around of POINTS) {
      for (const radiusMeters of around === undefined ? [undefined] : [undefined, 1e6]) {
        const found = engine.search({ text, limit: 20, around, radiusMeters, language: 'fr', explain: true });
        JSON.parse(textFromByteString(resultJson(found, { ...frame, point: around }, engine)));
      }
    }
    engine.search({ text, limit: 20, types: ['village'], countries: ['FR'] }).hits.map(({ label }) => label);
  }
  for (const at of POINTS)
    if (at !== undefined) engine.reverse({ at, limit: 20 }).hits.map(({ record }) => record.name);
  for (const id of ['G1000', 'G1299', 'N1', 'N20', 'X1']) {
    const record = engine.get(id, 'ja');
    if (record !== undefined) JSON.parse(textFromByteString(fullRecordJson(record)));
  }
  describeIndex(index);
  const opened = openIndex(index);
  const { readPlace } = openPlaces(opened);
  for (let id = 0; id < opened.metadata.places; id++) readPlace(id);
}

const [firstSeed = 1, count = 100] = process.argv.slice(2).map(Number);
const base = await aFullIndex();
let refused = 0;
for (let seed = firstSeed; seed < firstSeed + count; seed++) {
  process.stdout.write(`seed ${seed}\n`);
  const random = seededRandom(seed);
  const index = new MutableIndex(base);
  mutate(index, random);
  const sealed = index.seal();
  try {
    verifyIndex(sealed);
  } catch (error) {
    if (!(error instanceof IndexFormatError)) throw error;
    refused++;
    continue;
  }
  const startedMs = performance.now();
  runQueries(sealed);
  if (performance.now() - startedMs > MAX_QUERIES_MS) throw new Error('the queries took too long');
}
process.stdout.write(`${JSON.stringify({ count, refused })}\n`);
