/** Runs the cases on an engine. */
import type { Engine } from '../../src/engine/engine.ts';
import type { RelevanceCase } from './relevance-case.ts';
import { queryOf, type Score, scoreCase } from './score.ts';
import type { Topic } from './topics.ts';

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
  const expected = typeof expect === 'string' ? expect : expect.join(' or ');
  const shown = labels.length === 0 ? 'nothing' : labels.join(' · ');
  return `  "${query}" (${intent})\n      ${expected} ${score.reason}; shown: ${shown}`;
}
