/**
 * Queries that people might type, and the intended places, by topic. Cases come from general
 * knowledge of the world, not from results of the engine, so some cases fail. They are the rows of
 * `cases.tsv`, in which lines with `#` describe the topic that follows.
 */
import { readFileSync } from 'node:fs';
import type { PlaceType } from 'toponym-engine/place/place';
import type { LatLng } from 'toponym-engine/place/sphere';

export interface RelevanceCase extends CaseOptions {
  readonly query: string;
  /** What the person means, in a few words. */
  readonly intent: string;
  /** The objectIDs of acceptable places. */
  readonly expect: readonly string[];
  /** The last acceptable rank; the first is 1. */
  readonly within: number;
}

interface CaseOptions {
  readonly around?: LatLng;
  /** With `around`: restricts instead of biasing. */
  readonly radiusMeters?: number;
  readonly language?: string;
  readonly types?: readonly PlaceType[];
  /** ISO 3166-1 alpha-2, upper case. */
  readonly countries?: readonly string[];
  /** The label that the intended place must have. */
  readonly label?: string;
  /** Records of the same settlement: at most one of them may be on the page. */
  readonly duplicates?: readonly string[];
}

export interface Topic {
  /** The key in `floor.json`. */
  readonly name: string;
  readonly cases: readonly RelevanceCase[];
}

const RANKS = ['1', '3', '5', '10'];
const OPTIONS = ['around', 'radiusMeters', 'language', 'types', 'countries', 'label', 'duplicates'];

export const TOPICS: readonly Topic[] = readTopics();

function readTopics(): Topic[] {
  const lines = readFileSync(new URL('cases.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const rows = lines.slice(1).filter((line) => !line.startsWith('#'));
  const byTopic = Map.groupBy(rows, (row) => row.slice(0, row.indexOf('\t')));
  return Array.from(byTopic, ([name, ofTopic]) => ({ name, cases: ofTopic.map(parseCase) }));
}

function parseCase(row: string): RelevanceCase {
  const [, query, intent, expect, within, json = '{}', ...more] = row.split('\t');
  const options: CaseOptions = JSON.parse(json);
  const isValid = RANKS.includes(within!) && more.length === 0;
  if (!isValid || !Object.keys(options).every((name) => OPTIONS.includes(name))) throw new Error(`cases.tsv: ${row}`);
  return { query: query!, intent: intent!, expect: expect!.split(' '), within: Number(within), ...options };
}
