/**
 * Formats places and divisions as lines of Toponym's NDJSON format (see schema.ts). `ndjson.ts`
 * reads the same places back, except for what `formatPlaceLine` leaves out.
 */
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
export function formatRegionLine({ key, name, aliases, translations }: Region): string {
  const names = translations && Object.fromEntries(translations); // JSON leaves it out if undefined
  return toLine({ region: { key, name, aliases, names } } satisfies Record<keyof RegionLine, unknown>);
}

/**
 * Returns the line of a place, with the alternate names grouped by language. Leaves out
 * `importance` and the language of the main name: the format has no fields for them.
 */
export function formatPlaceLine(place: Place): string {
  const [main, ...others] = place.names;
  const names: NonNullable<PlaceLine['names']> = {};
  for (const { value, kind, language = UNKNOWN_LANGUAGE } of others) {
    names[language] ??= [];
    names[language].push(kind === 'alternate' ? value : { value, kind });
  }
  // JSON leaves out undefined fields; an administrative rank of 0 is the default
  return toLine({
    id: place.id,
    name: main?.value ?? '',
    names: others.length === 0 ? undefined : names,
    type: place.type,
    lat: place.lat,
    lng: place.lng,
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
