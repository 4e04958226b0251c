/**
 * Millions of places: Who's On First (two files in a folder, see `RawPlace`) and the embedded places
 * of the countries it lacks; without a folder, the embedded places. Synthetic copies, with transposed
 * letters and shifted coordinates, fill up to a requested number.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Gazetteer, Place, PlaceName, PlaceType, Region } from 'toponym-engine/place/place';
import { openEmbedded } from 'toponym-gazetteer/sources/embedded/embedded';
import { findInputs } from 'toponym-gazetteer/sources/input/input-files';
import { type Line, readLines } from 'toponym-gazetteer/sources/input/lines';
import { seededRandom } from '../../test/support/seeded-random.ts';

export const PLACES_FILE = 'wof-places.ndjson.zst';
export const REGIONS_FILE = 'wof-admin.tsv.gz';
/** Ids of copies start beyond all real ids. */
const FIRST_COPY = 1_000_000_000_000;
const MAX_SHIFT_DEGREES = 0.5;

interface RawPlace {
  readonly id: number;
  readonly name: string;
  /** `locality`, or a part of one: neighbourhood, borough, … */
  readonly pt: string;
  readonly cc: string;
  readonly lat: number;
  readonly lng: number;
  readonly pop?: number;
  readonly region?: number;
  readonly county?: number;
  /** Names by ISO 639-3 language. */
  readonly names: Readonly<Record<string, readonly string[]>>;
}

export function hasScaleFiles(folder: string): boolean {
  return [PLACES_FILE, REGIONS_FILE].every((file) => existsSync(join(folder, file)));
}

/** Yields all real places, then synthetic copies until there are `count` places (default: none). */
export function openScaleGazetteer(folder: string, count = 0): Gazetteer {
  const embedded = openEmbedded();
  const regions = readRegions(folder);
  const known = new Set(regions.map(({ key }) => key));
  return {
    version: count === 0 ? 'scale-trial' : `scale-trial-with-synthetic-copies-${count}`,
    attribution: ["Who's On First", ...embedded.attribution],
    countries: embedded.countries,
    regions: [...embedded.regions, ...regions],
    places: readPlaces(folder, { embedded, known, count }),
    report: { rowsRead: 0, rowsKept: 0, rejected: new Map() },
  };
}

interface ReadOptions {
  readonly embedded: Gazetteer;
  /** Known region keys. */
  readonly known: ReadonlySet<string>;
  readonly count: number;
}

async function* readPlaces(folder: string, { embedded, known, count }: ReadOptions): AsyncGenerator<Place> {
  const covered = new Set<string>();
  let read = 0;
  for await (const batch of readRaw(folder)) {
    for (const raw of batch) {
      covered.add(raw.cc);
      yield toPlace(raw, known);
      read++;
    }
  }
  for await (const place of embedded.places) {
    if (covered.has(place.country)) continue;
    yield place;
    read++;
  }
  const random = seededRandom(20_260_503);
  while (read < count) {
    for await (const place of originals(folder, known)) {
      if (read >= count) return;
      yield syntheticCopy(place, `F${FIRST_COPY + read}`, random);
      read++;
    }
  }
}

/** The places to copy. */
async function* originals(folder: string, known: ReadonlySet<string>): AsyncGenerator<Place> {
  if (folder === '') yield* openEmbedded().places;
  else for await (const batch of readRaw(folder)) for (const raw of batch) yield toPlace(raw, known);
}

/** Yields the places of each chunk of the file together. */
async function* readRaw(folder: string): AsyncGenerator<Iterable<RawPlace>> {
  if (folder === '') return;
  for (const file of findInputs([join(folder, PLACES_FILE)])) {
    for await (const lines of readLines(file)) yield parseLines(lines);
  }
}

/** One by one, so that the garbage collector need not copy the others. */
function* parseLines(lines: readonly Line[]): Generator<RawPlace> {
  for (const { text } of lines) yield JSON.parse(text) as RawPlace;
}

function toPlace(raw: RawPlace, known: ReadonlySet<string>): Place {
  const place: { -readonly [Field in keyof Place]: Place[Field] } = {
    id: `F${raw.id}`,
    type: placeType(raw),
    names: placeNames(raw),
    lat: raw.lat,
    lng: raw.lng,
    country: raw.cc,
    adminRank: 0,
  };
  const [admin1, admin2] = [regionKey(raw.region), regionKey(raw.county)];
  if (known.has(admin1)) place.admin1 = admin1;
  if (known.has(admin2)) place.admin2 = admin2;
  if (raw.pop) place.population = raw.pop;
  return place;
}

function placeType({ pt, pop = 0 }: RawPlace): PlaceType {
  if (pt !== 'locality') return 'suburban area';
  if (pop >= 100_000) return 'city';
  if (pop >= 10_000) return 'town';
  return pop >= 1_000 ? 'village' : 'hamlet';
}

function placeNames({ name, names }: RawPlace): PlaceName[] {
  const all: PlaceName[] = [{ value: name, kind: 'main' }];
  const seen = new Set([name]);
  for (const [code, values] of Object.entries(names)) {
    const language = languageTag(code);
    for (const value of values) {
      if (seen.has(value)) continue;
      seen.add(value);
      all.push(language === undefined ? { value, kind: 'alternate' } : { value, kind: 'alternate', language });
    }
  }
  return all;
}

const languages = new Map<string, string | undefined>([['und', undefined]]);

/** `deu` -> `de` */
function languageTag(code: string): string | undefined {
  if (!languages.has(code)) languages.set(code, Intl.getCanonicalLocales(code)[0]);
  return languages.get(code);
}

function syntheticCopy(place: Place, id: string, random: (limit: number) => number): Place {
  const shift = () => (random(2001) / 1000 - 1) * MAX_SHIFT_DEGREES;
  const names = place.names.map((name) => ({ ...name, value: swapLetters(name.value, random) }));
  const lat = Math.max(-90, Math.min(90, place.lat + shift()));
  const lng = Math.max(-180, Math.min(180, place.lng + shift()));
  return { ...place, id, names, lat, lng };
}

/** Swaps two letters of the text, so that it stays in its script. */
function swapLetters(text: string, random: (limit: number) => number): string {
  const letters = [...text];
  const [a, b] = [random(letters.length), random(letters.length)];
  [letters[a], letters[b]] = [letters[b]!, letters[a]!];
  return letters.join('');
}

/**
 * Reads the regions. Columns: id, name, kind, country, latitude, longitude, population, GeoNames
 * id, Wikidata id, `language=name|…`.
 */
function readRegions(folder: string): Region[] {
  if (folder === '') return [];
  const bytes = gunzipSync(readFileSync(join(folder, REGIONS_FILE)));
  const regions: Region[] = [];
  for (let start = 0; start < bytes.length; ) {
    const lineBreak = bytes.indexOf('\n', start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    if (end > start) regions.push(parseRegion(bytes.subarray(start, end)));
    start = end + 1;
  }
  return regions;
}

/** Reads aliases when they are needed: in the heap, those of all regions would take 120 MB during the build. */
function parseRegion(line: Buffer): Region {
  const namesStart = line.lastIndexOf('\t') + 1;
  const [id, name = '', kind, country = ''] = line.toString('utf8', 0, namesStart).split('\t');
  return {
    key: regionKey(Number(id)),
    level: kind === 'county' ? 2 : 1,
    country,
    name,
    get aliases() {
      return parseAliases(line.toString('utf8', namesStart));
    },
  };
}

function parseAliases(names: string): string[] {
  const aliases = names.split('|').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return aliases.filter((alias) => alias !== '');
}

function regionKey(id: number | undefined): string {
  return `wof-${id}`;
}
