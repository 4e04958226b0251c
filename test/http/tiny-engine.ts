/**
 * An Engine with known values, for tests that compare whole answers field by field: prefix match, plain distance sort.
 */
import type { Engine, FullRecord, Hit, PlaceRecord, SearchQuery } from '../../src/engine/engine.ts';
import { bearingDegrees, distanceMeters } from '../../src/place/sphere.ts';

export function aRecord(fields: Partial<PlaceRecord> & { objectID: string; name: string }): PlaceRecord {
  return {
    type: 'city',
    country: 'France',
    countryCode: 'fr',
    administrative: ['Île-de-France'],
    county: ['Paris'],
    population: 2_138_551,
    importance: 0.9,
    timezone: 'Europe/Paris',
    lat: 48.85341,
    lng: 2.3488,
    regionsMemo: {},
    ...fields,
  };
}

export const PARIS = aRecord({ objectID: 'G2988507', name: 'Paris' });
export const PARIS_TEXAS = aRecord({
  objectID: 'G4717560',
  name: 'Paris',
  type: 'town',
  country: 'United States',
  countryCode: 'us',
  administrative: ['Texas'],
  county: ['Lamar County'],
  population: 24_782,
  importance: 0.4,
  timezone: 'America/Chicago',
  lat: 33.66094,
  lng: -95.55551,
});
export const MONTMARTRE = aRecord({
  objectID: 'G2992090',
  name: 'Montmartre',
  type: 'suburban area',
  population: undefined,
  importance: 0.2,
  lat: 48.88333,
  lng: 2.33333,
});

export function tinyEngine(records: readonly PlaceRecord[]): Engine {
  return {
    dataset: { version: 'tiny-1', places: records.length, attribution: ['Invented for tests'] },
    search: (query) => {
      const hits = records.filter((record) => passes(record, query)).map((record) => searchHit(record, query));
      return { hits: hits.slice(0, query.limit), total: hits.length, isTotalExact: true, isExhaustive: true };
    },
    reverse: ({ at, limit, types }) => {
      const hits = records
        .filter((record) => types?.includes(record.type) ?? true)
        .map((record): Hit & { distanceMeters: number } => ({
          objectID: record.objectID,
          record,
          score: 0,
          label: labelOf(record),
          hasShortLabel: true,
          distanceMeters: distanceMeters(at.lat, at.lng, record.lat, record.lng),
          bearingDegrees: bearingDegrees(at.lat, at.lng, record.lat, record.lng),
        }))
        .sort((a, b) => a.distanceMeters - b.distanceMeters);
      return { hits: hits.slice(0, limit), total: hits.length, isTotalExact: true, isExhaustive: true };
    },
    get: (objectID): FullRecord | undefined => {
      const record = records.find((candidate) => candidate.objectID === objectID);
      return record && { record, label: labelOf(record), names: { und: [record.name] } };
    },
  };
}

function passes(record: PlaceRecord, query: SearchQuery): boolean {
  const { around, radiusMeters } = query;
  if (query.types && !query.types.includes(record.type)) return false;
  if (query.countries && !query.countries.includes(record.countryCode.toUpperCase())) return false;
  if (around && radiusMeters !== undefined) {
    if (distanceMeters(around.lat, around.lng, record.lat, record.lng) > radiusMeters) return false;
  }
  return record.name.toLowerCase().startsWith(query.text.toLowerCase());
}

function searchHit(record: PlaceRecord, query: SearchQuery): Hit {
  const { around, text } = query;
  const distance = around && distanceMeters(around.lat, around.lng, record.lat, record.lng);
  return {
    objectID: record.objectID,
    record,
    score: record.importance,
    label: labelOf(record),
    hasShortLabel: true,
    ...(distance !== undefined && { distanceMeters: distance }),
    ...(text !== '' && { highlight: { ranges: [[0, text.length]], matchLevel: 'full', matchedWords: [text] } }),
    ...(query.explain && {
      ranking: {
        typos: 0,
        firstMatchedWord: 0,
        proximityDistance: 0,
        userScore: 900,
        exactWords: 1,
        words: 1,
        filters: 0,
        geoDistanceMeters: distance ?? 0,
        geoPrecision: 1,
        criteria: { typos: 0, importance: record.importance },
        decidedBy: 'importance',
      },
    }),
  };
}

function labelOf(record: PlaceRecord): string {
  return `${record.name}, ${record.country}`;
}
