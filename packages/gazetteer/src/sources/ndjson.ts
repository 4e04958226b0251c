/** Reads files in Toponym's NDJSON format as a gazetteer. */

import type { Gazetteer, Place, Region } from 'toponym-engine/place/place';
import { Compile } from 'typebox/compile';
import { findInputs, type InputFile } from './input/input-files.ts';
import { type Line, readLines, readPlaces, readRows } from './input/lines.ts';
import {
  bboxFault,
  type DatasetLine,
  DatasetLineSchema,
  type PlaceLine,
  PlaceLineSchema,
  type RegionLine,
  RegionLineSchema,
} from './place-line.ts';
import { canonicalLanguage, PlaceIds } from './place-values.ts';
import { mismatch, placeOfLine, placeOfOwnLine, placeValidator } from './read-place-line.ts';
import { createCountries } from './regions/countries.ts';
import { KnownDivisions } from './regions/known-divisions.ts';
import { createRegion, firstNameByLanguage } from './regions/regions.ts';
import { createReport, type Rejection } from './report.ts';

/** Opens the files as one gazetteer. `regions` are final once `places` have been read. */
export async function openNdjson(paths: readonly string[]): Promise<Gazetteer> {
  const files = findInputs(paths);
  const datasets = await Promise.all(files.map(readDataset));
  const divisions = new KnownDivisions();
  const report = createReport();
  const exports = new Set(files.filter((_, i) => isOfEmbeddedData(datasets[i])).map(({ label }) => label));
  const versions = files.map((file, i) => datasets[i]?.version ?? file.name.replace(/\.\w+$/, ''));
  return {
    version: versions.join('+') || 'ndjson',
    attribution: [...new Set(datasets.flatMap((dataset) => dataset?.attribution ?? []))],
    countries: createCountries(),
    regions: divisions.regions,
    places: readPlaces(readRows(files, report), report, {
      ids: new PlaceIds(),
      parse: (line) => readPlace(line, { divisions, mayHaveEmbeddedIds: exports.has(line.at.file) }),
    }),
    report,
  };
}

/** Whether the file is an export of an index with embedded places, which keep their ids. */
function isOfEmbeddedData(dataset: DatasetLine['dataset'] | undefined): boolean {
  return dataset !== undefined && /\bgeonames-cities500-\S+-cities1000-/.test(dataset.version);
}

interface ReadOptions {
  readonly divisions: KnownDivisions;
  readonly mayHaveEmbeddedIds: boolean;
}

/** Returns undefined for a line that is not a place. Adds the division of a region line. */
function readPlace({ text, number }: Line, options: ReadOptions): Place | Rejection | undefined {
  const { divisions, mayHaveEmbeddedIds } = options;
  if (text.trim() === '') return undefined;
  const line = parseNdjsonLine(text);
  if ('reason' in line) return line;
  if ('dataset' in line) return number === 1 ? undefined : { reason: 'dataset line is not the first', got: text };
  if ('region' in line) {
    divisions.add(divisionOfLine(line.region));
    return undefined;
  }
  return mayHaveEmbeddedIds && line.place.id.startsWith('C')
    ? placeOfLine(line.place, divisions)
    : placeOfOwnLine(line.place, divisions);
}

async function readDataset(file: InputFile): Promise<DatasetLine['dataset'] | undefined> {
  for await (const [first] of readLines(file)) {
    const line = parseNdjsonLine(first?.text ?? '');
    return 'dataset' in line ? line.dataset : undefined;
  }
  return undefined;
}

function divisionOfLine({ key, name, aliases = [], names = {} }: RegionLine['region']): Region {
  const tagged = Object.entries(names).map(([tag, value]) => ({ value, language: canonicalLanguage(tag) }));
  const typed = [...aliases, ...Object.values(names)]; // people also type the names that are shown
  return createRegion(key, name, { aliases: typed, translations: firstNameByLanguage(tagged) });
}

const regionValidator = Compile(RegionLineSchema);
const datasetValidator = Compile(DatasetLineSchema);

/** Never throws. */
function parseNdjsonLine(text: string): { readonly place: PlaceLine } | RegionLine | DatasetLine | Rejection {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (error) {
    return { reason: 'not JSON', got: `${(error as Error).message}: ${text}` };
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return { reason: 'not an object', got: text };
  if ('region' in line)
    return regionValidator.Check(line) ? line : mismatch(line, RegionLineSchema, regionValidator.Errors(line));
  if ('dataset' in line)
    return datasetValidator.Check(line) ? line : mismatch(line, DatasetLineSchema, datasetValidator.Errors(line));
  if (!placeValidator.Check(line)) return mismatch(line, PlaceLineSchema, placeValidator.Errors(line));
  const fault = line.bbox && bboxFault(line.bbox, line);
  return fault === undefined ? { place: line } : { reason: 'bad bbox', got: fault };
}
