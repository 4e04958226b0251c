/**
 * Places, divisions and the note about the data as lines of Toponym's own format: what `ndjson.ts` reads back as it was.
 */
import type { Gazetteer } from '../../place/gazetteer.ts';
import type { Place, Region } from '../../place/place.ts';
import type { DatasetLine, PlaceLine, RegionLine } from './schema.ts';

/** Must be the first line. */
export function writeDatasetLine({ version, attribution }: Pick<Gazetteer, 'version' | 'attribution'>): string {
  const dataset = { version: version.replace(/[^\w.+:-]/g, '-'), attribution: [...attribution] };
  return lineOf({ dataset } satisfies DatasetLine);
}

/** Must come before the places that lie in it. */
export function writeRegionLine({ key, name, aliases }: Region): string {
  return lineOf({ region: { key, name, aliases: [...aliases] } } satisfies RegionLine);
}

export function writePlaceLine(place: Place): string {
  const { id, type, lat, lng, country, admin1, admin2, population, timezone, adminRank, externalIds } = place;
  const [main, ...others] = place.names;
  const names: NonNullable<PlaceLine['names']> = {};
  for (const { value, kind, language = 'und' } of others) {
    names[language] ??= [];
    names[language].push(kind === 'alternate' ? value : { value, kind });
  }
  return lineOf({
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

/** JSON leaves DEL and the C1 controls as they are; escaped, the line can be shown on a terminal. */
const UNESCAPED_CONTROLS = /[\u007f-\u009f]/g;

function lineOf(value: object): string {
  const json = JSON.stringify(value);
  return `${json.replace(UNESCAPED_CONTROLS, (control) => `\\u00${control.charCodeAt(0).toString(16)}`)}\n`;
}
