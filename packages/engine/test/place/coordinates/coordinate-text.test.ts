import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { seededRandom } from '../../../../../test/support/seeded-random.ts';
import { parseCoordinates } from '../../../src/place/coordinates/coordinate-text.ts';

/**
 * Texts by form, with the points that they may mean: `48.8584,2.2945`, two with ` or ` between them, or
 * `none`. Tabs, line breaks and invisible characters are written as in JSON: `\u0009`.
 */
const EXAMPLES = readFileSync(new URL('../../../../../test/fixtures/coordinates.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split(/\r?\n/)
  .slice(1)
  .map((line) => {
    const [form = '', text = '', points = ''] = line.split('\t');
    return {
      form,
      text: text.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
      points,
    };
  });

for (const [form, examples] of Map.groupBy(EXAMPLES, (example) => example.form)) {
  test(`coordinates: ${form}`, () => {
    for (const { text, points } of examples) {
      const found = parseCoordinates(text).map(({ lat, lng }) => `${lat},${lng}`);
      assert.equal(found.join(' or ') || 'none', points, text);
    }
  });
}

test('a random point is read back from every form', () => {
  const random = seededRandom(9);
  for (let round = 0; round < 500; round++) {
    const lat = (random(1_800_001) - 900_000) / 10_000;
    const lng = (random(3_600_001) - 1_800_000) / 10_000;
    const north = `${Math.abs(lat).toFixed(4)}°${lat < 0 ? 'S' : 'N'}`;
    const east = `${Math.abs(lng).toFixed(4)}°${lng < 0 ? 'W' : 'E'}`;
    const plain = [lat.toFixed(4), lng.toFixed(4)];
    const texts = [
      plain.join(','),
      plain.join(' '),
      plain.join('; '),
      `${north} ${east}`,
      `${east}, ${north}`,
      `geo:${plain.join(',')}`,
    ];
    texts.push(plain.join(' ').replaceAll('.', ','));
    for (const text of texts) assert.deepEqual(parseCoordinates(text)[0], { lat: lat || 0, lng: lng || 0 }, text);
  }
});

test('long text is refused, without patterns that backtrack for minutes', () => {
  const pieces =
    '1| |1 |1.|1\'|°|N|-|(|[|;u=1|geo:1,1;u=1|1.1,|1 1 |1d|1o1|lat 1 |lat=1 |&q=1.1;|/1x1|!1d1!2d|@1.1,| / 1.1 |&|%31|度1|с. 1|{"coordinates":[1,|a.a1';
  for (const piece of pieces.split('|')) {
    for (const start of ['', '1.1 1.1', 'https://a.b/', 'lat 1 lng ', '[1.1,']) {
      const repeated = piece.repeat(512).slice(0, 511 - start.length);
      assert.deepEqual(parseCoordinates(`${start}${repeated}x`), [], piece);
    }
  }
});
