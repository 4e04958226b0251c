import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { Engine, SearchQuery } from 'toponym-engine/engine';
import { anEngine, aPlace, withOverrides } from '../../../../test/support/an-engine.ts';
import { createGeocoder, firstLines, type GeocodeTask } from '../../src/geocode/geocode-rows.ts';

let engine: Engine;
before(async () => {
  engine = await anEngine([
    aPlace({ id: 'G1', name: '=Sum', lat: -33.5, lng: -70.5 }),
    aPlace({ id: 'G2', name: '@Home', lat: 10, lng: 20 }),
  ]);
});

const PLACES: GeocodeTask = {
  delimiter: ',',
  headings: ['a', 'b'],
  columns: { used: [0, 1], countries: [], isGuess: false },
  isReverse: false,
  minConfidence: 0,
  query: {},
  hasReview: true,
};

/** The rows of output and review, by heading. */
function geocode(rows: readonly string[], task: GeocodeTask = PLACES) {
  const lines = rows.map((text, i) => ({ number: i + 2, text }));
  const result = createGeocoder(engine, task)(lines);
  const [output, review] = firstLines(task);
  const read = (text: string) => parse(text, { columns: true }) as Record<string, string>[];
  return { output: read(`${output}${result.output}`), review: read(`${review}${result.review}`) };
}

test('no own cell is a formula, and numbers stay numbers', () => {
  const [row] = geocode(['=Sum,']).output;
  assert.deepEqual([row?.a, row?.label, row?.lat, row?.lng], ['=Sum', "'=Sum, France", '-33.5', '-70.5']);
  const { output, review } = geocode(['@Home,'], { ...PLACES, minConfidence: 1.1 });
  assert.equal(output[0]?.candidate_label, "'@Home, France");
  assert.equal(review[0]?.candidate1_label, "'@Home, France");
});

test('cells with a line break are told apart from two cells', () => {
  const texts: string[] = [];
  const search = (query: SearchQuery) => {
    texts.push(query.text);
    return engine.search(query);
  };
  const lines = ['"x\ny",z', 'x,"y\nz"'].map((text, number) => ({ number, text }));
  createGeocoder(withOverrides(engine, { search }), PLACES)(lines);
  assert.deepEqual(texts, ['x\ny, z', 'x, y\nz']);
});

test('long cells are neither read nor remembered', (context: TestContext) => {
  const set = context.mock.method(Map.prototype, 'set');
  const problem = 'has a name or coordinates of more than 512 bytes';
  for (const isReverse of [false, true]) {
    const { output } = geocode([`${'1 '.repeat(500_000)},2`, '1,2'], { ...PLACES, isReverse });
    assert.deepEqual([output[0]?.problem, output[1]?.problem], [problem, '']);
  }
  const keys = set.mock.calls.map(({ arguments: [key] }) => key).filter((key) => typeof key === 'string');
  assert.deepEqual(
    keys.filter((key) => key.startsWith('["1')),
    ['["1","2"]', '["1","2"]'],
  );
});

test('a row that is cut off says so', () => {
  const rows = [{ number: 2, text: 'x,y', fault: 'line too long' as const }];
  assert.match(createGeocoder(engine, PLACES)(rows).output, /^x,y,{9}line too long: only its start is here\n$/);
});

test('a place that is named by coordinates has no confidence, and the distance is not written there', () => {
  const [row] = geocode(['"-33.6, -70.5",']).output;
  assert.deepEqual([row?.id, row?.confidence, row?.matchCode], ['G1', '', '']);
});
