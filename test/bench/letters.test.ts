import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BenchData } from '../../bench/bench-data.ts';
import { countLetters, measureLetters } from '../../bench/engine/letters.ts';
import type { PeerProcess } from '../../bench/peer-process.ts';
import type { BenchPlace } from '../../bench/places.ts';
import { namePrefixes } from '../../bench/queries.ts';
import type { RunOptions } from '../../bench/run-options.ts';

function place(id: string, name: string): BenchPlace {
  return { id, name, asciiName: name, region: '', country: '', population: 1, lat: 0, lng: 0 } as BenchPlace;
}

const PARIS = place('1', 'Paris');
const PARMA = place('2', 'Parma');

test('a name is typed letter by letter, without prefixes that end in a space', () => {
  assert.deepEqual(
    namePrefixes(place('3', 'La Paz')).map(({ text }) => text),
    ['l', 'la', 'la p', 'la pa', 'la paz'],
  );
});

test('letters are counted until the place is shown and stays', () => {
  const names = [namePrefixes(PARIS)];
  const hits = [[PARIS], [PARMA], [PARMA, PARIS], [PARIS, PARMA], [PARIS]];
  assert.deepEqual(countLetters(names, hits), { shown: [3], first: [4] });
});

test('a place that its full name does not find counts as never shown, and an incomplete name does not count', () => {
  const names = [namePrefixes(PARIS), namePrefixes(PARMA)];
  const missed = [[PARIS], [PARIS], [PARIS], [PARIS], []];
  const never = { shown: [Number.POSITIVE_INFINITY], first: [Number.POSITIVE_INFINITY] };
  assert.deepEqual(countLetters(names, [...missed, [PARMA], [PARMA]]), never);
});

test('an engine is compared on the names it completed, and has no figures if it completed none', async () => {
  const always = (ids: string[], count: number) => ({
    measure: async () => ({ results: Array.from({ length: count }, () => ids) }),
  });
  const peers = [
    { name: 'ours', ...always(['1'], 10) },
    { name: 'slow', ...always([], 5) },
    { name: 'slower', ...always(['1'], 4) },
  ] as unknown as PeerProcess[];
  const { rows } = await measureLetters(peers, {
    data: { places: [PARIS] } as unknown as BenchData,
    options: { budgetMs: 1 } as RunOptions,
  });
  assert.deepEqual(rows, [
    ['ours', '1', '1', '1, 1', '0.0%', '2'],
    ['slow', 'never', 'never', '1, 1', '100.0%', '1'],
    ['slower', '–', '–', '–', '–', '0'],
  ]);
});
