/**
 * The API of Nominatim (nominatim.org), version 5: search, reverse, lookup and status as JSON. The results are
 * places only, never streets, states or countries.
 */
import { MAX_RECORDS } from 'toponym-access/keys/key-record';
import type { PlaceRecord } from 'toponym-engine/engine';
import { type BoundingBox, circleAround } from 'toponym-engine/place/bounding-box';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { ERRORS } from '../http/error-codes.ts';
import { invalidOption, quote, RequestError } from '../http/errors.ts';
import {
  type Adapter,
  type AdapterCall,
  type AdapterEndpoint,
  firstLanguage,
  hitLimit,
  hitsOnLand,
  type Parameters,
  readAs,
} from './adapter.ts';
import { boxOf, dateOf, objectIDsOf, osmIdOf, PLACE_TERMS, requiredPoint, rounded, zoomOf } from './osm-terms.ts';

const DEFAULT_HITS = 10;
/** The first one is the default. */
const FORMATS = ['jsonv2', 'json', 'geojson', 'geocodejson'];
const STATUS_FORMATS = ['text', 'json'];
/** Photon, which has two of the same paths, has none of these parameters. */
const OWN_PARAMETERS = /(?:^|&)(?:format|zoom|addressdetails|extratags|namedetails|accept-language|email)(?=[=&]|$)/;
/** Parts of a structured query, in the order of an address. */
const ADDRESS_PARTS = ['postalcode', 'city', 'town', 'village', 'hamlet', 'county', 'state', 'country'];
/** Parts that we do not know. */
const UNKNOWN_PARTS = ['street', 'amenity'];
const SETTLEMENTS: readonly PlaceType[] = ['city', 'town', 'village'];
/** Values of `featureType`. */
const FEATURE_TYPES: Readonly<Record<string, readonly PlaceType[]>> = {
  country: [],
  state: [],
  city: SETTLEMENTS,
  settlement: PLACE_TYPES,
};
/** From this zoom on, a reverse lookup finds suburbs and hamlets. Below, it finds cities, towns and villages. */
const SUBURB_ZOOM = 13;
/** The middle of a larger viewbox, such as that of a continent, says nothing about the place meant. */
const MAX_BIAS_METERS = 1_000_000;
const OSM_TYPES = { N: 'node', W: 'way', R: 'relation' } as const;

export const nominatim: Adapter = {
  endpoints: Object.entries({ search, reverse, lookup, status }).flatMap(([name, respond]) =>
    [`/${name}`, `/${name}.php`].map(
      (path): AdapterEndpoint => ({ methods: ['GET'], path, ownParameters: OWN_PARAMETERS, respond }),
    ),
  ),
  formatError: ({ code }, message) => {
    const { status } = ERRORS[code];
    return { status, body: { error: { code: status, message } } };
  },
};

function search(call: AdapterCall) {
  const { engine, parameters } = call;
  const format = formatterOf(call);
  const limit = hitLimit(call, DEFAULT_HITS);
  const { text, countries } = readQuery(parameters);
  const viewbox = boxOf(parameters, 'viewbox');
  const types = featureTypesOf(parameters);
  const excluded = new Set(listOf(parameters, 'exclude_place_ids'));
  if (text === undefined || types?.length === 0) return format([]);
  const { hits } = engine.search({
    text,
    limit: Math.min(limit + excluded.size, MAX_RECORDS),
    types,
    countries,
    around: viewbox && middleOf(viewbox),
    box: isOn(parameters, 'bounded') ? viewbox : undefined,
    language: languageOf(call),
  });
  const included = hits.filter(({ objectID }) => !excluded.has(String(placeIdOf(objectID))));
  return format(included.slice(0, limit).map(({ record }) => record));
}

/** The text is undefined if the query has only parts that we do not know. Throws RequestError. */
function readQuery(parameters: Parameters): { text: string | undefined; countries: string[] | undefined } {
  const countries = parameters.option('countries', 'countrycodes');
  const text = parameters.option('query', 'q');
  const parts = [...ADDRESS_PARTS, ...UNKNOWN_PARTS].filter((name) => parameters.text(name) !== undefined);
  if (text !== undefined && parts.length > 0)
    throw invalidOption('q', `must not be given together with ${parts.join(', ')}`);
  if (text !== undefined) return { text, countries };
  if (parts.length === 0) {
    const message = 'nothing to search for: q is required, as in q=paris, or parts of an address, as in city=paris';
    throw new RequestError('missing_option', message);
  }
  const known = parts.filter((name) => ADDRESS_PARTS.includes(name));
  if (known.length === 0) return { text: undefined, countries };
  const country = parameters.text('country') ?? '';
  // UK is not the code of a country, but its name for many people
  const isCode = countries === undefined && /^(?!uk)[a-z]{2}$/i.test(country);
  const words = known.flatMap((name) => (isCode && name === 'country' ? [] : parameters.text(name)));
  return {
    text: readAs('query', known.join(), words.join(', ')),
    countries: isCode ? [country.toUpperCase()] : countries,
  };
}

/** The place that the point is in, or else the nearest one of the same country. */
function reverse(call: AdapterCall) {
  const { engine, parameters } = call;
  const format = formatterOf(call, { isOne: true, hasAddress: true });
  const zoom = zoomOf(parameters);
  const at = requiredPoint(parameters);
  const language = languageOf(call);
  const find = (types?: readonly PlaceType[]) => engine.reverse({ at, limit: 1, types, language, mode: 'containing' });
  const [hit] = hitsOnLand(find());
  if (hit === undefined) return { error: 'Unable to geocode' };
  const { record } = hit;
  if (zoom < SUBURB_ZOOM)
    return format([SETTLEMENTS.includes(record.type) ? record : (find(SETTLEMENTS).hits[0]?.record ?? record)]);
  const [suburb] = find(['suburban area']).hits;
  return format([suburb?.isInside && suburb.record.city === record.name ? suburb.record : record]);
}

function lookup(call: AdapterCall) {
  const { engine, parameters, maxHits } = call;
  const format = formatterOf(call);
  const ids = listOf(parameters, 'osm_ids');
  if (ids.length === 0) throw new RequestError('missing_option', 'osm_ids is required, as in osm_ids=N2988507,R7444');
  if (ids.length > maxHits) throw invalidOption('osm_ids', `must be ${maxHits} ids or fewer, got ${ids.length}`);
  const language = languageOf(call);
  const records = ids.flatMap((text) => {
    const [, type, id] = /^([NWR])(\d{1,15})$/.exec(text.toUpperCase()) ?? [];
    if (type === undefined || id === undefined)
      throw invalidOption('osm_ids', `must be numbers after N, W or R, such as N2988507,R7444, got ${quote(text)}`);
    const found = objectIDsOf(type, id).flatMap((objectID) => engine.get(objectID, language)?.record ?? []);
    return found.slice(0, 1);
  });
  return format(records);
}

function status({ engine: { dataset }, parameters }: AdapterCall) {
  if (parameters.oneOf('format', STATUS_FORMATS) === 'text') return 'OK';
  const date = dateOf(dataset);
  const data_updated = date && `${date}T00:00:00+00:00`;
  return { status: 0, message: 'OK', data_updated, database_version: dataset.version };
}

/** Reads how places are to be shown. `isOne`: the only place is not in a list, unless the format needs one. */
function formatterOf(call: AdapterCall, { isOne = false, hasAddress = false } = {}) {
  const { parameters, engine } = call;
  const format = parameters.oneOf('format', FORMATS);
  const licence = engine.dataset.attribution.join('; ');
  const hasDetail = (name: string, byDefault = false) => isOn(parameters, name, byDefault);
  const fieldsOf = (record: PlaceRecord) => ({
    ...idsOf(record),
    [format === 'json' ? 'class' : 'category']: 'place',
    type: PLACE_TERMS[record.type].tag,
    place_rank: PLACE_TERMS[record.type].rank,
    importance: record.importance,
    addresstype: PLACE_TERMS[record.type].tag,
    name: record.name,
    display_name: displayName(record),
    address: hasDetail('addressdetails', hasAddress) ? addressOf(record) : undefined,
    extratags: hasDetail('extratags') ? { population: record.population?.toString() } : undefined,
    namedetails: hasDetail('namedetails') ? namesOf(call, record) : undefined,
  });
  return (records: readonly PlaceRecord[]): unknown => {
    if (format === 'geojson') {
      const features = records.map((record) => ({
        ...featureOf(record, fieldsOf(record)),
        bbox: boundsOf(record).map(rounded),
      }));
      return { type: 'FeatureCollection', licence, features };
    }
    if (format === 'geocodejson') {
      const geocoding = { version: '0.1.0', attribution: licence, licence, query: parameters.text('q') };
      const features = records.map((record) => featureOf(record, { geocoding: geocodingOf(record) }));
      return { type: 'FeatureCollection', geocoding, features };
    }
    const places = records.map((record) => {
      const geojson = hasDetail('polygon_geojson') ? featureOf(record, {}).geometry : undefined;
      return { ...idsOf(record), licence, ...textsOf(record), ...fieldsOf(record), geojson };
    });
    return isOne ? places[0] : places;
  };
}

/** `place_id` differs for places of different sources with the same number. */
function idsOf({ objectID }: PlaceRecord) {
  const { type, id } = osmIdOf(objectID);
  return { place_id: placeIdOf(objectID), osm_type: OSM_TYPES[type], osm_id: id };
}

function placeIdOf(objectID: string): number {
  return Number(objectID.slice(1)) * 26 + objectID.charCodeAt(0) - 'A'.charCodeAt(0);
}

/** Coordinates as texts, which Nominatim's JSON has. */
function textsOf(record: PlaceRecord) {
  const [west, south, east, north] = boundsOf(record);
  const numbers = [record.lat, record.lng, south, north, west, east];
  const [lat, lon, ...boundingbox] = numbers.map((degrees) => degrees.toFixed(7));
  return { lat, lon, boundingbox };
}

/** West, south, east, north. A box across the antimeridian spans all longitudes, as in Nominatim. */
function boundsOf({ box: { west, south, east, north } }: PlaceRecord): [number, number, number, number] {
  return west > east ? [-180, south, 180, north] : [west, south, east, north];
}

function featureOf({ lat, lng }: PlaceRecord, properties: object) {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

/** Parts of the address by Nominatim's names for them, the smallest first. */
function addressOf({ name, type, city, regions }: PlaceRecord) {
  return {
    [PLACE_TERMS[type].tag]: name,
    ...(type === 'suburban area' && { city }),
    county: regions.county[0],
    state: regions.administrative[0],
    country: regions.country,
    country_code: regions.countryCode,
  };
}

/** The parts of the address, each name once. */
function displayName(record: PlaceRecord): string {
  const { country_code, ...parts } = addressOf(record);
  return [...new Set(Object.values(parts))].filter(Boolean).join(', ');
}

/** Properties of a place in the format GeocodeJSON, whose types are city, district and locality. */
function geocodingOf(record: PlaceRecord) {
  const { layer: type, tag } = PLACE_TERMS[record.type];
  const { county, state, country, country_code } = addressOf(record);
  const { name, city } = record;
  return {
    ...idsOf(record),
    osm_key: 'place',
    osm_value: tag,
    type,
    label: displayName(record),
    ...{ name, city, [type]: name, county, state, country, country_code },
  };
}

/** The first name in each language as OpenStreetMap tags it, and names of unknown language. */
function namesOf({ engine }: AdapterCall, { objectID }: PlaceRecord) {
  const { record, names } = engine.get(objectID) ?? {};
  const { und, ...known } = names ?? {};
  const byLanguage = Object.entries(known).map(([language, [first]]) => [`name:${language}`, first]);
  return { name: record?.name, ...Object.fromEntries(byLanguage), alt_name: und?.join(';') };
}

/** Undefined if the box is too large to say where the place may be. */
function middleOf(box: BoundingBox) {
  const { lat, lng, radiusMeters } = circleAround(box);
  return radiusMeters > MAX_BIAS_METERS ? undefined : { lat, lng: lng > 180 ? lng - 360 : lng };
}

function featureTypesOf(parameters: Parameters): readonly PlaceType[] | undefined {
  const name = ['featureType', 'featuretype'].find((each) => parameters.text(each) !== undefined);
  return name === undefined ? undefined : FEATURE_TYPES[parameters.oneOf(name, Object.keys(FEATURE_TYPES))];
}

/** Nominatim takes any value but 0 for yes. */
function isOn(parameters: Parameters, name: string, byDefault: boolean = false): boolean {
  const text = parameters.text(name);
  return text === undefined ? byDefault : text !== '0' && text.toLowerCase() !== 'false';
}

function languageOf({ parameters, headerLanguage }: AdapterCall): string | undefined {
  return firstLanguage(parameters.text('accept-language')) ?? headerLanguage;
}

function listOf(parameters: Parameters, name: string): string[] {
  return (parameters.text(name) ?? '').split(',').flatMap((item) => item.trim() || []);
}
