/**
 * Runs the cases on an engine, decides which pass, and compares topics with the floor: the minimum
 * number of passing cases per topic. The floor only rises, unless somebody edits `floor.json` for a
 * stated reason.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import type { Engine, SearchQuery, SearchResult } from 'toponym-engine/engine';
import { MAX_HITS } from 'toponym-engine/work-budget';
import type { RelevanceCase, Topic } from './cases.ts';

export interface Score {
  readonly passed: boolean;
  /** Rank of the first acceptable place, from 1; absent if none is on the page. */
  readonly rank?: number;
  /** Reason of a failure. */
  readonly reason?: string;
}

export function queryOf(item: RelevanceCase): SearchQuery {
  const { query, intent, expect, within, label, duplicates, ...options } = item;
  return { ...options, text: query, limit: MAX_HITS };
}

export function scoreCase({ expect, within, label, duplicates = [] }: RelevanceCase, { hits }: SearchResult): Score {
  const shown = hits.map(({ record }) => record.objectID);
  const position = shown.findIndex((id) => expect.includes(id));
  if (position < 0) return { passed: false, reason: 'not on the page' };
  const rank = position + 1;
  if (rank > within) return { passed: false, rank, reason: `at rank ${rank}, expected within ${within}` };
  const shownLabel = hits[position]?.label;
  if (label !== undefined && shownLabel !== label) return { passed: false, rank, reason: `labelled "${shownLabel}"` };
  const duplicatesShown = duplicates.filter((id) => shown.includes(id));
  if (duplicatesShown.length > 1)
    return { passed: false, rank, reason: `shown twice, as ${duplicatesShown.join(' and ')}` };
  return { passed: true, rank };
}

export interface Outcome {
  readonly case: RelevanceCase;
  readonly score: Score;
  /** Labels of the first hits, best first. */
  readonly labels: readonly string[];
}

export interface TopicOutcome {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly passed: number;
  /** Number of cases with an acceptable place at rank 1. */
  readonly first: number;
}

const MAX_LABELS = 3;

export function runTopics(engine: Engine, topics: readonly Topic[]): TopicOutcome[] {
  return topics.map(({ name, cases }) => {
    const outcomes = cases.map((item) => runCase(engine, item));
    return {
      name,
      outcomes,
      passed: outcomes.filter(({ score }) => score.passed).length,
      first: outcomes.filter(({ score }) => score.rank === 1).length,
    };
  });
}

/** The failing cases of a topic as text: query, intent, reason and first hits. */
export function describeFailures({ name, outcomes }: TopicOutcome): string {
  const lines = outcomes.filter(({ score }) => !score.passed).map(describeFailure);
  return [`${name}: ${lines.length} failing`, ...lines].join('\n');
}

function runCase(engine: Engine, item: RelevanceCase): Outcome {
  const result = engine.search(queryOf(item));
  return {
    case: item,
    score: scoreCase(item, result),
    labels: result.hits.slice(0, MAX_LABELS).map(({ label }) => label),
  };
}

function describeFailure({ case: { query, intent, expect }, score, labels }: Outcome): string {
  const shown = labels.length === 0 ? 'nothing' : labels.join(' · ');
  return `  "${query}" (${intent})\n      ${expect.join(' or ')} ${score.reason}; shown: ${shown}`;
}

/** Topic name -> passing cases. */
export type Floor = Readonly<Record<string, number>>;

const CASES_FLOOR = new URL('floor.json', import.meta.url);

export function readFloor(file = CASES_FLOOR): Floor {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The floor raised to the number of cases that pass now. It is never lowered. */
export function raisedFloor(floor: Floor, topics: readonly Pick<TopicOutcome, 'name' | 'passed'>[]): Floor {
  return Object.fromEntries(topics.map(({ name, passed }) => [name, Math.max(floor[name] ?? 0, passed)]));
}

export function writeFloor(floor: Floor, file = CASES_FLOOR): void {
  writeFileSync(file, `${JSON.stringify(floor, undefined, 2)}\n`);
}
