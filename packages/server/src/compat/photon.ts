/** The API of Photon (photon.komoot.io), version 1: search, reverse and status as GeoJSON. */
import type { Hit } from 'toponym-engine/engine';
import { PLACE_TYPES, type PlaceType } from 'toponym-engine/place/place';
import { ERRORS } from '../http/error-codes.ts';
import { invalidOption, quote, RequestError } from '../http/errors.ts';
import { type Adapter, type AdapterCall, hitLimit, hitsOnLand, type Parameters, readAs } from './adapter.ts';
import { boxOf, dateOf, osmIdOf, PLACE_TERMS, requiredPoint, rounded, zoomOf } from './osm-terms.ts';

const DEFAULT_HITS = 15;
/** A map with a lower zoom shows a continent or more, and its middle says nothing about the place meant. */
const MIN_BIAS_ZOOM = 5;
/** Photon's layers. We have places only, so that most of them find nothing. */
const LAYERS = ['house', 'street', 'locality', 'district', 'city', 'county', 'state', 'country', 'other'];

export const photon: Adapter = {
  endpoints: [
    { methods: ['GET'], path: '/api', respond: search },
    { methods: ['GET'], path: '/reverse', respond: reverse },
    { methods: ['GET'], path: '/status', respond: status },
  ],
  formatError: ({ code }, message) => ({ status: ERRORS[code].status, body: { message } }),
};

function search(call: AdapterCall) {
  const { engine, parameters } = call;
  const text = parameters.option('query', 'q');
  if (text === undefined) throw new RequestError('missing_option', "missing search term 'q', as in q=berlin");
  const point = parameters.point('lat', 'lon');
  const query = {
    text,
    limit: hitLimit(call, DEFAULT_HITS),
    types: typesOf(parameters),
    countries: countriesOf(parameters),
    around: zoomOf(parameters) < MIN_BIAS_ZOOM ? undefined : point,
    box: boxOf(parameters, 'bbox'),
    language: languageOf(call),
  };
  return toGeoJson(query.types?.length === 0 ? [] : engine.search(query).hits);
}

/** The place that the point is in comes first. A radius leaves out others that are farther away. */
function reverse(call: AdapterCall) {
  const { engine, parameters } = call;
  const at = requiredPoint(parameters);
  const radius = radiusOf(parameters);
  const types = typesOf(parameters);
  const limit = hitLimit(call, 1);
  if (types?.length === 0) return toGeoJson([]);
  const found = engine.reverse({ at, limit, types, language: languageOf(call), mode: 'containing' });
  return toGeoJson(
    hitsOnLand(found).filter(({ isInside, distanceMeters = 0 }) => isInside || distanceMeters <= radius),
  );
}

function status({ engine: { dataset } }: AdapterCall) {
  return { status: 'Ok', import_date: dateOf(dataset), version: dataset.version };
}

function toGeoJson(hits: readonly Hit[]) {
  return { type: 'FeatureCollection', features: hits.map(toFeature) };
}

function toFeature({ record }: Hit) {
  const { name, type, regions, box, lat, lng } = record;
  const { type: osm_type, id: osm_id } = osmIdOf(record.objectID);
  const properties = {
    osm_type,
    osm_id,
    osm_key: 'place',
    osm_value: PLACE_TERMS[type].tag,
    type: PLACE_TERMS[type].layer,
    name,
    // clients show it, so it is there even if the place is the city
    city: type === 'suburban area' ? record.city : name,
    county: regions.county[0],
    state: regions.administrative[0],
    country: regions.country,
    countrycode: regions.countryCode.toUpperCase(),
    extent: [box.west, box.north, box.east, box.south].map(rounded),
  };
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

/** Types of places that both the layers and the tags allow; undefined if all do. */
function typesOf(parameters: Parameters): PlaceType[] | undefined {
  const layers = parameters
    .all('layer')
    .flatMap((value) => value.split(','))
    .filter(Boolean);
  const tags = parameters.all('osm_tag');
  if (layers.length === 0 && tags.length === 0) return undefined;
  const unknown = layers.find((layer) => !LAYERS.includes(layer));
  if (unknown !== undefined)
    throw invalidOption('layer', `must be some of ${LAYERS.join(', ')}, got ${quote(unknown)}`);
  const isInLayers = (type: PlaceType) => layers.length === 0 || layers.includes(PLACE_TERMS[type].layer);
  return PLACE_TYPES.filter((type) => isInLayers(type) && isTagged(type, tags));
}

/**
 * Tags are `key:value`, `key` or `:value`. One that begins with `!` or `:!` must not match; of the others, one must.
 * `key:!value` matches other values of the key.
 */
function isTagged(type: PlaceType, tags: readonly string[]): boolean {
  const matches = (tag: string) => {
    const [, key, not, value] = /^!?([^:!]*):?(!?)(.*)$/s.exec(tag)!;
    const isValue = value === '' || value === PLACE_TERMS[type].tag;
    return (key === '' || key === 'place') && (key !== '' && not !== '' && !tag.startsWith('!') ? !isValue : isValue);
  };
  const isUnwanted = (tag: string) => /^:?!/.test(tag);
  const wanted = tags.filter((tag) => !isUnwanted(tag));
  return (wanted.length === 0 || wanted.some(matches)) && !tags.some((tag) => isUnwanted(tag) && matches(tag));
}

function countriesOf(parameters: Parameters): string[] | undefined {
  const codes = parameters.all('countrycode').join(',');
  return codes === '' ? undefined : readAs('countries', 'countrycode', codes);
}

/** In metres; given in kilometres. */
function radiusOf(parameters: Parameters): number {
  const text = parameters.text('radius');
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const kilometres = Number(text);
  if (kilometres > 0) return kilometres * 1000;
  throw invalidOption('radius', `must be a number of kilometres above 0, got ${quote(text)}`);
}

/** `default` means the usual names. */
function languageOf({ parameters, headerLanguage }: AdapterCall): string | undefined {
  if (!parameters.has('lang')) return headerLanguage;
  return parameters.text('lang') === 'default' ? undefined : parameters.option('language', 'lang');
}
