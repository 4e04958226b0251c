/** Suites of cases of several origins in one form. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine, PlaceRecord, SearchQuery, SearchResult } from 'toponym-engine/engine';
import type { Index } from 'toponym-engine/index-file/layout';
import type { PlaceType } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import { MAX_HITS } from 'toponym-engine/work-budget';
import { TOPICS } from '../cases.ts';
import { judgedQuery, type Line } from '../confidence/query-sources.ts';
import { errorClasses } from '../generated/classes.ts';
import { passes, QUERIES_PER_CLASS } from '../generated/measuring.ts';
import { queryOf, scoreCase } from '../scoring.ts';

export interface Suite {
  readonly name: string;
  readonly cases: readonly SuiteCase[];
}

export interface SuiteCase {
  readonly query: SearchQuery;
  passes(result: SearchResult): boolean;
}

export function generatedSuites(index: Index, engine: Engine): Suite[] {
  return errorClasses(index, engine, QUERIES_PER_CLASS).map(({ name, isAbsent, queries }) => ({
    name: `generated: ${name}`,
    cases: queries.map((judged) => ({
      query: judged.query,
      passes: (result) => passes(isAbsent, judged, result),
    })),
  }));
}

export function ownCases(): Suite {
  const cases = TOPICS.flatMap(({ cases: ofTopic }) => ofTopic);
  return {
    name: 'cases',
    cases: cases.map((item) => ({ query: queryOf(item), passes: (result) => scoreCase(item, result).passed })),
  };
}

/**
 * A suite for each folder with `.jsonl` files in `folder`. A line is one of
 *
 *     {"query", "expect", …}                    as in `readQueryFiles`; the first hit must be right
 *     {"query", "options", "wanted", "within"}  this object id must be among the first `within`
 *     {"query", "options", "want"}              see `Want`
 *
 * `options` are those of the API. Other lines, and reverse lookups, are skipped.
 */
export function judgedSuites(folder: string, engine: Engine): Suite[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders
    .map(({ name }) => ({ name, cases: readLines(join(folder, name)).flatMap((line) => judgedCase(line, engine)) }))
    .filter(({ cases }) => cases.length > 0);
}

interface JudgedLine extends Line {
  readonly options?: ApiOptions;
  readonly wanted?: string;
  readonly within?: number;
  readonly want?: Want;
}

/** As strings, as in a request. */
interface ApiOptions {
  readonly aroundLatLng?: string;
  readonly aroundRadius?: string;
  readonly countries?: string;
  readonly type?: string;
  readonly language?: string;
  readonly mode?: string;
}

/** Places are object ids, or names with the country and perhaps a division: `Paris|us|Texas`. */
interface Want {
  /** One of these is the first hit. */
  readonly first?: readonly string[];
  /** All of these are among the first five. */
  readonly five?: readonly string[];
  readonly minConfidence?: number;
  readonly maxConfidence?: number;
  /** The first hit is shown by one of these names. */
  readonly shown?: readonly string[];
}

function readLines(folder: string): JudgedLine[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}

function judgedCase(line: JudgedLine, engine: Engine): SuiteCase[] {
  const { options = {}, wanted, within, want } = line;
  if (!line.query || line.mode === 'reverse' || options.mode !== undefined) return [];
  if (line.expect !== undefined) {
    const { query, isRight } = judgedQuery(line);
    return [{ query, passes: ({ hits: [first] }) => first !== undefined && isRight(first.record) }];
  }
  const query = queryWithOptions(line.query, options);
  if (wanted !== undefined)
    return [{ query, passes: ({ hits }) => hits.slice(0, within).some(({ objectID }) => objectID === wanted) }];
  return want === undefined ? [] : [{ query, passes: (result) => isAsWanted(want, result, engine) }];
}

function queryWithOptions(text: string, options: ApiOptions): SearchQuery {
  const { aroundLatLng, aroundRadius, countries, type, language } = options;
  const [lat, lng] = aroundLatLng?.split(',').map(Number) ?? [];
  return {
    text,
    limit: MAX_HITS,
    around: lat === undefined || lng === undefined ? undefined : { lat, lng },
    radiusMeters: aroundRadius === undefined ? undefined : Number(aroundRadius),
    countries: countries?.toUpperCase().split(','),
    types: type?.split(',') as PlaceType[] | undefined,
    language,
  };
}

function isAsWanted(want: Want, { hits }: SearchResult, engine: Engine): boolean {
  const [best] = hits;
  const { first, five, minConfidence = 0, maxConfidence = 1, shown } = want;
  if (first !== undefined) return best !== undefined && first.some((place) => isPlace(best.record, place, engine));
  if (five !== undefined)
    return five.every((place) => hits.slice(0, 5).some(({ record }) => isPlace(record, place, engine)));
  if (shown !== undefined) return best !== undefined && shown.includes(best.record.name);
  const confidence = best?.confidence ?? 0;
  return confidence >= minConfidence && confidence <= maxConfidence;
}

function isPlace({ objectID, regions }: PlaceRecord, wanted: string, engine: Engine): boolean {
  const [name = '', country, region] = wanted.split('|');
  if (country === undefined) return objectID === wanted;
  if (regions.countryCode !== country) return false;
  const divisions = fold([...regions.administrative, ...regions.county].join(' '));
  if (region !== undefined && !divisions.includes(fold(region))) return false;
  const names = Object.values(engine.get(objectID)!.names).flat();
  return names.some((other) => fold(other) === fold(name));
}
