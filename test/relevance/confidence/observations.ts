/**
 * Judged queries, whose right answer is known, and how an engine answers them: the inputs of
 * confidence, and which hits are right.
 */

import type { Engine, PlaceRecord, SearchQuery } from 'toponym-engine/engine';
import { distanceMeters, type LatLng } from 'toponym-engine/place/sphere';
import { type Calibration, confidences, type ScoredPage } from 'toponym-engine/rank/confidence';
import { MAX_HITS } from 'toponym-engine/work-budget';
import { seededRandom } from '../../support/seeded-random.ts';

export interface JudgedQuery {
  readonly query: SearchQuery;
  isRight(record: PlaceRecord): boolean;
}

/** A place this near to the right one is right: a city, and its suburb of the same name. */
const NEAR_METERS = 10_000;
const MIN_REGION_LETTERS = 5;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export function isNear(record: PlaceRecord, { lat, lng }: LatLng, meters = NEAR_METERS): boolean {
  return distanceMeters(record.lat, record.lng, lat, lng) <= meters;
}

/** The query with a typo in its last part, if that follows a comma and is long: "Nice, Frnace". */
export function withMisspeltRegion(judged: JudgedQuery, random: (limit: number) => number): JudgedQuery | undefined {
  const { text } = judged.query;
  const regionStart = text.lastIndexOf(', ') + 2;
  if (regionStart < 2 || text.length - regionStart < MIN_REGION_LETTERS) return undefined;
  const region = misspelt(text.slice(regionStart), random);
  return { ...judged, query: { ...judged.query, text: text.slice(0, regionStart) + region } };
}

/** The text with one letter inserted, deleted, substituted or transposed. */
export function misspelt(text: string, random: (limit: number) => number): string {
  const at = random(text.length);
  const letter = LETTERS[random(LETTERS.length)]!;
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const edits = [before + letter + after, before + after.slice(1), before + letter + after.slice(1)];
  const transposed = before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2);
  return [...edits, transposed][random(4)]!;
}

export interface Observation {
  readonly page: ScoredPage;
  /** By hit. */
  readonly isRight: readonly boolean[];
}

/** A confidence that was given, and whether the hit was right. */
export interface Claim {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Undefined if there are no hits. */
export function observe(engine: Engine, { query, isRight }: JudgedQuery): Observation | undefined {
  const { hits, scored } = engine.search({ ...query, limit: MAX_HITS });
  return scored && { page: scored, isRight: hits.map(({ record }) => isRight(record)) };
}

/** What is claimed about the best hit. */
export function claimAbout({ page, isRight }: Observation, calibration?: Calibration): Claim {
  return { confidence: confidences(page, calibration)[0]!, isRight: isRight[0]! };
}

/** What is claimed about the best hit of each observation. */
export function claimsAbout(observations: readonly Observation[], calibration?: Calibration): Claim[] {
  return observations.map((observation) => claimAbout(observation, calibration));
}

interface Half {
  /** Queries as they were judged. */
  readonly whole: Observation[];
  /** Queries with a typo in the region that match with that typo corrected. */
  readonly misspeltRegion: Observation[];
}

export interface ObservedHalves {
  readonly toFit: readonly Observation[];
  readonly keptOut: Half;
}

/**
 * Each query is observed as it is and with a typo in its region, because judged queries seldom have
 * one. A query that then matches in another way than by its misspelt region is left out.
 */
export function observeHalves(engine: Engine, queries: readonly JudgedQuery[]): ObservedHalves {
  const [toFit, keptOut] = splitHalves(queries).map((half) => observeHalf(engine, half)) as [Half, Half];
  return { toFit: Object.values(toFit).flat(), keptOut };
}

/** The half that figures are checked with. Searches none of the other half. */
export function observeKeptOut(engine: Engine, queries: readonly JudgedQuery[]): Half {
  return observeHalf(engine, splitHalves(queries)[1]);
}

interface JudgedPair {
  readonly judged: JudgedQuery;
  readonly misspelt: JudgedQuery | undefined;
}

/** The same in every run: those to fit, and those kept out. */
function splitHalves(queries: readonly JudgedQuery[]): readonly [JudgedPair[], JudgedPair[]] {
  const random = seededRandom(17);
  const halves: [JudgedPair[], JudgedPair[]] = [[], []];
  for (const judged of queries) {
    const half = halves[random(2) as 0 | 1];
    half.push({ judged, misspelt: withMisspeltRegion(judged, random) });
  }
  return halves;
}

function observeHalf(engine: Engine, pairs: readonly JudgedPair[]): Half {
  const half: Half = { whole: [], misspeltRegion: [] };
  for (const { judged, misspelt } of pairs) {
    const whole = observe(engine, judged);
    if (whole !== undefined) half.whole.push(whole);
    const observation = misspelt && observe(engine, misspelt);
    if (observation?.page.kind === 'misspeltRegion') half.misspeltRegion.push(observation);
  }
  return half;
}
