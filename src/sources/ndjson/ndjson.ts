/** Reads files in Toponym's NDJSON format as a gazetteer. */
import type { Gazetteer, SourceReport } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import { findInputs, type InputFile } from '../input/input-files.ts';
import { type Line, readLines } from '../input/lines.ts';
import { canonicalLanguage, PlaceIds } from '../place-values.ts';
import { COUNTRY_CODES, createCountries } from '../regions/countries.ts';
import { KnownDivisions } from '../regions/known-divisions.ts';
import { createRegion, firstNameByLanguage } from '../regions/regions.ts';
import { countKept, countRejected, createReport, type Rejection } from '../report.ts';
import { createPlace, parseNdjsonLine } from './parse-line.ts';
import type { DatasetLine, RegionLine } from './schema.ts';

/** Opens the files as one gazetteer. `regions` are final once `places` have been read. */
export async function openNdjson(paths: readonly string[]): Promise<Gazetteer> {
  const files = findInputs(paths);
  const datasets = await Promise.all(files.map(readDataset));
  const divisions = new KnownDivisions();
  const report = createReport();
  const versions = files.map((file, i) => datasets[i]?.version ?? file.name.replace(/\.\w+$/, ''));
  return {
    version: versions.join('+') || 'ndjson',
    attribution: [...new Set(datasets.flatMap((dataset) => dataset?.attribution ?? []))],
    countries: createCountries(),
    regions: divisions.regions,
    places: readPlaces(files, { divisions, report }),
    report,
  };
}

async function* readPlaces(
  files: readonly InputFile[],
  { divisions, report }: { divisions: KnownDivisions; report: SourceReport },
): AsyncGenerator<Place> {
  const ids = new PlaceIds();
  for (const file of files) {
    for await (const lines of readLines(file)) {
      for (const line of lines) {
        const result = readPlace(line, divisions);
        if (result === undefined) continue;
        const at = { file: file.label, line: line.number };
        if ('reason' in result) countRejected(report, result, at);
        else if (!ids.add(result.id)) countRejected(report, { reason: 'duplicate id', got: result.id }, at);
        else {
          countKept(report);
          yield result;
        }
      }
    }
  }
}

/** Returns undefined for a line that is not a place. Adds the division of a region line. */
function readPlace({ text, number, fault }: Line, divisions: KnownDivisions): Place | Rejection | undefined {
  if (fault !== undefined) return { reason: fault, got: text };
  if (text.trim() === '') return undefined;
  const line = parseNdjsonLine(text);
  if (line.kind === 'rejected') return line;
  if (line.kind === 'dataset') return number === 1 ? undefined : { reason: 'dataset line is not the first', got: text };
  if (line.kind === 'region') {
    divisions.add(divisionOfLine(line.region));
    return undefined;
  }
  if (!COUNTRY_CODES.has(line.place.country)) return { reason: 'unknown country', got: line.place.country };
  const keysOrError = divisions.findKeys(line.place);
  if (typeof keysOrError === 'string') return { reason: 'unknown division', got: keysOrError };
  return createPlace(line.place, keysOrError);
}

async function readDataset(file: InputFile): Promise<DatasetLine['dataset'] | undefined> {
  for await (const [first] of readLines(file)) {
    const line = first === undefined ? undefined : parseNdjsonLine(first.text);
    return line?.kind === 'dataset' ? line.dataset : undefined;
  }
  return undefined;
}

function divisionOfLine({ key, name, aliases = [], names = {} }: RegionLine['region']): Region {
  const tagged = Object.entries(names).map(([tag, value]) => ({ value, language: canonicalLanguage(tag) }));
  const typed = [...aliases, ...Object.values(names)]; // people also type the names that are shown
  return createRegion(key, name, { aliases: typed, translations: firstNameByLanguage(tagged) });
}
