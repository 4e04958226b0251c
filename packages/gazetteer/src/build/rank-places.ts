/**
 * Computes the importance of places, and assigns dense ids (0, 1, 2, …) in order of importance. Ties
 * are in the order of `Place.id` as text, so that the order of the input does not matter.
 */

import { fillWith } from 'toponym-engine/collections/typed-array';
import { MAX_IMPORTANCE } from 'toponym-engine/index-file/layout';
import { MAX_ADMIN_RANK, NAME_KINDS } from 'toponym-engine/place/place';
import { countScripts, scriptGroups } from 'toponym-engine/text/script';
import type { PlaceStore } from './place-store.ts';

export interface RankedPlaces {
  readonly store: PlaceStore;
  /** By dense id. */
  readonly rows: Uint32Array;
  /** From 0 to 65535, by dense id. */
  readonly importance: Uint16Array;
}

export function rankPlaces(store: PlaceStore, rows: Uint32Array): RankedPlaces {
  const importanceByRow = new Uint16Array(store.length);
  const paddedNumberByRow = new Float64Array(store.length);
  for (const row of rows) {
    importanceByRow[row] =
      store.importance(row) ?? Math.round(computeImportance(importanceFactors(store, row)) * MAX_IMPORTANCE);
    paddedNumberByRow[row] = padRight(store.idNumber(row));
  }
  const rankedRows = rows.toSorted(
    (a, b) =>
      importanceByRow[b]! - importanceByRow[a]! ||
      store.idLetter(a) - store.idLetter(b) ||
      paddedNumberByRow[a]! - paddedNumberByRow[b]! ||
      store.idNumber(a) - store.idNumber(b), // 1 before 10, which are equal when padded
  );
  return {
    store,
    rows: rankedRows,
    importance: fillWith(new Uint16Array(rows.length), (denseId) => importanceByRow[rankedRows[denseId]!]!),
  };
}

/** Appends zeros up to 16 digits. Padded numbers sort like text: 12 before 9. */
function padRight(number: number): number {
  let padded = number;
  while (padded > 0 && padded < 1e15) padded *= 10;
  return padded;
}

/** Chosen on queries with judged results: see docs/ranking.md. */
const WEIGHTS = { population: 0.72, names: 0.07, scripts: 0.18, adminRank: 0.07 } as const;
/** About seven million inhabitants: more make a city no better known. */
const MAX_LOG10_POPULATION = 6.85;
/** The best-known places have about 250 names. */
const MAX_LOG2_NAMES = Math.log2(250);
/** The best-known places have names in about 24 scripts. */
const MAX_LOG2_SCRIPTS = Math.log2(24);
/** By administrative rank, for places of unknown population. */
const TYPICAL_POPULATION = [400, 800, 1500, 4000, 20_000, 100_000] as const;
const POSTCODE = NAME_KINDS.indexOf('postcode');

interface ImportanceFactors {
  readonly population: number | undefined;
  /** A name in two languages counts once. Postcodes and unranked names do not count. */
  readonly nameCount: number;
  /** Number of scripts that the names are written in, at least 1. */
  readonly scriptCount: number;
  readonly adminRank: number;
}

/** How likely people are to mean the place, 0..1. */
export function computeImportance({ population, nameCount, scriptCount, adminRank }: ImportanceFactors): number {
  const estimate = population ?? TYPICAL_POPULATION[adminRank] ?? TYPICAL_POPULATION[0];
  const size = Math.min(1, Math.log10(estimate + 1) / MAX_LOG10_POPULATION);
  return (
    WEIGHTS.population * size +
    WEIGHTS.names * Math.min(1, Math.log2(nameCount) / MAX_LOG2_NAMES) +
    WEIGHTS.scripts * Math.min(1, Math.log2(scriptCount) / MAX_LOG2_SCRIPTS) +
    // the larger a city, the less it matters whether it is the seat of a division
    WEIGHTS.adminRank * (adminRank / MAX_ADMIN_RANK) * (1 - size)
  );
}

function importanceFactors(store: PlaceStore, row: number): ImportanceFactors {
  const texts = new Set<string>();
  let groups = 0;
  for (let name = store.nameStart(row); name < store.nameEnd(row); name++) {
    if (store.nameKind(name) === POSTCODE || store.isNameUnranked(name)) continue;
    const text = store.nameText(name);
    texts.add(text);
    groups |= scriptGroups(text);
  }
  return {
    population: store.likelyPopulation(row),
    nameCount: texts.size,
    scriptCount: countScripts(groups),
    adminRank: store.adminRank(row),
  };
}
