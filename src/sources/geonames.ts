/**
 * GeoNames dumps on disk (allCountries.txt, cities500.txt, one country's file…) as a gazetteer.
 * Read line by line: memory does not grow with the file, but for one bit an id.
 */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Gazetteer, SourceReport } from '../place/gazetteer.ts';
import type { Place, Region } from '../place/place.ts';
import { readBundledRegions } from './bundled-regions.ts';
import { createCountries } from './countries.ts';
import { isRejection, parseGeonamesRow } from './geonames-row.ts';
import { IdSet } from './id-set.ts';
import { readLines } from './lines.ts';
import { newestModification } from './newest-modification.ts';
import { createRegions, isRegionFile, readRegionFile } from './regions.ts';
import { countKept, countRejected, createReport } from './report.ts';

export interface GeonamesOptions {
  /** Starts the version; the newest modification date in the data ends it. */
  readonly name?: string;
  /** The divisions the rows may name; otherwise those of the admin files among the paths, or the bundled ones. */
  readonly regions?: readonly Region[];
}

export const GEONAMES_ATTRIBUTION =
  'GeoNames (https://www.geonames.org/), CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/** Paths are place dumps, and optionally `admin1CodesASCII.txt` and `admin2Codes.txt`, recognised by name. */
export function openGeonames(paths: readonly string[], options: GeonamesOptions = {}): Gazetteer {
  const dumps = paths.filter((path) => !isRegionFile(path));
  if (dumps.length === 0) {
    throw new Error(
      `no GeoNames dump given, got ${JSON.stringify(paths)}: name at least one file such as allCountries.txt`,
    );
  }
  for (const path of dumps) refuseCompressed(path);
  const regions = options.regions ?? regionsAmong(paths);
  const report = createReport();
  return {
    version: `${options.name ?? `geonames-${basename(dumps[0] ?? '', '.txt')}`}-${newestModification(dumps)}`,
    attribution: [GEONAMES_ATTRIBUTION],
    countries: createCountries(),
    regions,
    places: readPlaces(dumps, { report, regionKeys: new Set(regions.map((region) => region.key)) }),
    report,
  };
}

interface Reading {
  readonly report: SourceReport;
  readonly regionKeys: ReadonlySet<string>;
}

async function* readPlaces(paths: readonly string[], { report, regionKeys }: Reading): AsyncGenerator<Place> {
  const ids = new IdSet();
  for (const path of paths) {
    const file = basename(path);
    for await (const lines of readLines(createReadStream(path, { highWaterMark: 1 << 18 }))) {
      for (const line of lines) {
        const at = { file, line: line.number };
        if (line.fault !== undefined) {
          countRejected(report, line.fault, line.text, at);
          continue;
        }
        // A file's last line end starts no row.
        if (line.text === '') continue;
        const row = parseGeonamesRow(line.text);
        if (isRejection(row)) {
          countRejected(report, row.reason, row.got, at);
        } else if (!ids.add(Number(row.id.slice(1)))) {
          countRejected(report, 'duplicate id', row.id, at);
        } else {
          countKept(report);
          yield withKnownRegions(row, regionKeys);
        }
      }
    }
  }
}

/** Places keep only keys that the region table can answer: dumps and admin files are seldom of the same day. */
function withKnownRegions(place: Place, regionKeys: ReadonlySet<string>): Place {
  const { admin1, admin2 } = place;
  const isKnown1 = admin1 === undefined || regionKeys.has(admin1);
  const isKnown2 = admin2 === undefined || regionKeys.has(admin2);
  if (isKnown1 && isKnown2) return place;
  const { admin1: _admin1, admin2: _admin2, ...rest } = place;
  return {
    ...rest,
    ...(isKnown1 && admin1 !== undefined ? { admin1 } : {}),
    ...(isKnown2 && admin2 !== undefined ? { admin2 } : {}),
  };
}

function regionsAmong(paths: readonly string[]): Region[] {
  const files = paths.filter(isRegionFile);
  return createRegions(files.length === 0 ? readBundledRegions() : files.flatMap(readRegionFile));
}

function refuseCompressed(path: string): void {
  if (/\.(zip|gz)$/i.test(path)) {
    throw new Error(`${path}: compressed dumps cannot be read; unpack it and name the .txt file inside`);
  }
}
