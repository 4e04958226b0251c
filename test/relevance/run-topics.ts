/**
 * Asks the engine every case and keeps what came, so that the test and the table judge the same
 * outcome.
 */
import type { Engine } from '../../src/engine/engine.ts';
import type { RelevanceCase } from './relevance-case.ts';
import { queryOf, type Score, scoreCase } from './score.ts';
import type { Topic } from './topics.ts';

export interface Outcome {
  readonly case: RelevanceCase;
  readonly score: Score;
  /** Labels of the first hits, best first. */
  readonly came: readonly string[];
}

export interface TopicOutcome {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly passed: number;
  /** How many had an acceptable place at rank 1, whatever they asked for. */
  readonly first: number;
}

const LABELS_KEPT = 3;

export function runTopics(engine: Engine, topics: readonly Topic[]): TopicOutcome[] {
  return topics.map(({ name, cases }) => {
    const outcomes = cases.map((asked) => runCase(engine, asked));
    return {
      name,
      outcomes,
      passed: outcomes.filter(({ score }) => score.passed).length,
      first: outcomes.filter(({ score }) => score.rank === 1).length,
    };
  });
}

/** The failing cases of a topic as text: what was typed and meant, why it failed and what came. */
export function describeFailures({ name, outcomes }: TopicOutcome): string {
  const lines = outcomes.filter(({ score }) => !score.passed).map(describeFailure);
  return [`${name}: ${lines.length} failing`, ...lines].join('\n');
}

function runCase(engine: Engine, asked: RelevanceCase): Outcome {
  const result = engine.search(queryOf(asked));
  return {
    case: asked,
    score: scoreCase(asked, result),
    came: result.hits.slice(0, LABELS_KEPT).map(({ label }) => label),
  };
}

function describeFailure({ case: { query, intent, expect }, score, came }: Outcome): string {
  const wanted = typeof expect === 'string' ? expect : expect.join(' or ');
  const instead = came.length === 0 ? 'nothing' : came.join(' · ');
  return `  "${query}" (${intent})\n      ${wanted} ${score.reason}; came: ${instead}`;
}
