/** Formats the lines of an NDJSON file, which `ndjson.ts` reads back unchanged. */
import type { Gazetteer } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import { printableJson } from '../../text/printable-json.ts';
import { type DatasetLine, type PlaceLine, type RegionLine, UNKNOWN_LANGUAGE } from './schema.ts';

/** Returns the line that must come first. Replaces invalid characters in the version with `-`. */
export function formatDatasetLine({ version, attribution }: Pick<Gazetteer, 'version' | 'attribution'>): string {
  const dataset = { version: version.replace(/[^\w.+:-]/g, '-'), attribution: [...attribution] };
  return toLine({ dataset } satisfies DatasetLine);
}

/** Returns a line that must come before the lines of places in the region. */
export function formatRegionLine({ key, name, aliases }: Region): string {
  return toLine({ region: { key, name, aliases: [...aliases] } } satisfies RegionLine);
}

/** Leaves out an importance set by hand, which the format does not have. */
export function formatPlaceLine(place: Place): string {
  const { id, type, lat, lng, country, admin1, admin2, population, timezone, adminRank, externalIds } = place;
  const [main, ...others] = place.names;
  const names: NonNullable<PlaceLine['names']> = {};
  for (const { value, kind, language = UNKNOWN_LANGUAGE } of others) {
    names[language] ??= [];
    names[language].push(kind === 'alternate' ? value : { value, kind });
  }
  return toLine({
    id,
    name: main?.value ?? '',
    ...(others.length === 0 ? {} : { names }),
    type,
    lat,
    lng,
    country,
    ...(admin1 === undefined ? {} : { admin1 }),
    ...(admin2 === undefined ? {} : { admin2 }),
    ...(population === undefined ? {} : { population }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(adminRank === 0 ? {} : { adminRank }),
    ...(externalIds === undefined ? {} : { externalIds: [...externalIds] }),
  } satisfies PlaceLine);
}

function toLine(value: object): string {
  return `${printableJson(value)}\n`;
}
