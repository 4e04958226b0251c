/**
 * Reads judged queries from the `.jsonl` files of a folder. Each line is a JSON object:
 *
 *     {"query": "paris, tx", "expect": {"name": "Paris", "lat": 33.66, "lng": -95.56}}
 *
 * `expect` may also have `country` (its code), `region`, and `maxKm`: how far from the point a
 * place of the name is right. `lat` and `lng` beside `query` are a point to prefer; `lang`,
 * `countries` and `type` are options of the search. Lines with the `mode` reverse are skipped.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlaceRecord } from '../../../src/engine/engine.ts';
import { MAX_HITS } from '../../../src/engine/work-budget.ts';
import type { PlaceType } from '../../../src/place/place.ts';
import type { LatLng } from '../../../src/place/sphere.ts';
import { fold } from '../../../src/text/fold.ts';
import { isNear, type JudgedQuery } from './judged-query.ts';

interface Expected extends Partial<LatLng> {
  readonly name?: string;
  readonly country?: string;
  readonly region?: string;
  readonly maxKm?: number;
}

interface Line extends Partial<LatLng> {
  readonly query: string;
  readonly mode?: string;
  readonly expect: Expected;
  /** The same place in GeoNames. */
  readonly resolved?: Expected;
  readonly lang?: string;
  readonly countries?: readonly string[];
  readonly type?: PlaceType;
}

export function readQueryFiles(folder: string): JudgedQuery[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const lines = files.sort().flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'));
  return lines
    .map((text): Line => JSON.parse(text))
    .filter(({ mode }) => mode !== 'reverse')
    .map((line) => ({ query: searchQuery(line), isRight: (record) => isRight(line, record) }));
}

function searchQuery({ query, lat, lng, lang, countries, type }: Line): JudgedQuery['query'] {
  return {
    text: query,
    limit: MAX_HITS,
    around: pointOf({ lat, lng }),
    language: lang,
    countries,
    types: type === undefined ? undefined : [type],
  };
}

function pointOf({ lat, lng }: { lat?: number | undefined; lng?: number | undefined }): LatLng | undefined {
  return lat == null || lng == null ? undefined : { lat, lng };
}

function isRight({ expect, resolved = {} }: Line, record: PlaceRecord): boolean {
  const points = [pointOf(expect), pointOf(resolved)].filter((point) => point !== undefined);
  if (points.some((point) => isNear(record, point))) return true;
  const names = [expect.name, resolved.name].flatMap((name) => (name === undefined ? [] : [fold(name)]));
  if (!names.includes(fold(record.name))) return false;
  if (points.length > 0) return points.some((point) => isNear(record, point, 1000 * (expect.maxKm ?? 0)));
  const { country, region } = expect;
  if (country !== undefined && country.toLowerCase() !== record.regions.countryCode) return false;
  return region === undefined || record.regions.administrative.some((name) => fold(name) === fold(region));
}
