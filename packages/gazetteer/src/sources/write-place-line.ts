/** Writes lines of Toponym's NDJSON format. It loads no schemas, which `toponym export` does not need. */
import type { Gazetteer, Place, Region } from 'toponym-engine/place/place';
import { printableJson } from 'toponym-engine/text/utf8';
import type { DatasetLine, PlaceLine, RegionLine } from './place-line.ts';
import { UNKNOWN_LANGUAGE } from './place-values.ts';

/** This line must come first. Replaces invalid characters in the version with `-`. */
export function formatDatasetLine({ version, attribution }: Pick<Gazetteer, 'version' | 'attribution'>): string {
  const dataset = { version: version.replace(/[^\w.+:-]/g, '-'), attribution: [...attribution] };
  return toLine({ dataset } satisfies DatasetLine);
}

/** This line must come before the lines of places in the region. */
export function formatRegionLine({ key, name, aliases, translations }: Region): string {
  const names = translations && Object.fromEntries(translations);
  return toLine({ region: { key, name, aliases, names } } satisfies Record<keyof RegionLine, unknown>);
}

/** Loses `importance`, `likelyPopulation` and the language of the main name, for which the format has no fields. */
export function formatPlaceLine(place: Place): string {
  const [main, ...others] = place.names;
  const names: NonNullable<PlaceLine['names']> = {};
  for (const { value, kind, language = UNKNOWN_LANGUAGE } of others) {
    names[language] ??= [];
    names[language].push(kind === 'alternate' ? value : { value, kind });
  }
  // JSON leaves out undefined fields
  return toLine({
    id: place.id,
    name: main?.value ?? '',
    names: others.length === 0 ? undefined : names,
    type: place.type,
    lat: place.lat,
    lng: place.lng,
    bbox: place.box && [place.box.west, place.box.south, place.box.east, place.box.north],
    country: place.country,
    admin1: place.admin1,
    admin2: place.admin2,
    population: place.population,
    timezone: place.timezone,
    adminRank: place.adminRank || undefined,
    externalIds: place.externalIds,
  } satisfies Record<keyof PlaceLine, unknown>);
}

function toLine(value: object): string {
  return `${printableJson(value)}\n`;
}
