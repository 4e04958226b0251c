/**
 * What the page shows, as its URL says it, and the call of the API that answers it. The URL can be
 * shared, reloaded and gone back to.
 */
import type { LatLng, PlaceType, QueryOptions, ReverseOptions } from '../../packages/client/src/client.ts';
import { parsePoint, roundedDegrees } from './place-text.ts';

export const PLACE_TYPES: readonly PlaceType[] = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'];

/** `ip`: near the caller's address. `center`: near the middle of the map. */
export type Near = LatLng | 'ip' | 'center';

export interface PageState {
  readonly text: string;
  readonly types: readonly PlaceType[];
  /** ISO 3166-1 alpha-2, lower case. */
  readonly countries: readonly string[];
  /** Empty: the usual names. */
  readonly language: string;
  readonly near: Near | undefined;
  /** Only with a point. */
  readonly radiusMeters: number | undefined;
  /** The selected place. */
  readonly placeId: string | undefined;
  /** A point of the map whose surroundings are shown, instead of the results of the text. */
  readonly point: LatLng | undefined;
}

export function parseState(search: string): PageState {
  const values = new URLSearchParams(search);
  const list = (name: string) => (values.get(name) ?? '').split(',').filter((item) => item !== '');
  const near = values.get('near') ?? '';
  const radiusMeters = Number(values.get('radius'));
  return {
    text: values.get('q') ?? '',
    types: PLACE_TYPES.filter((type) => list('type').includes(type)),
    countries: list('countries').filter((code) => /^[a-z]{2}$/.test(code)),
    language: languageTag(values.get('lang') ?? ''),
    near: near === 'ip' ? near : parsePoint(near),
    radiusMeters: Number.isInteger(radiusMeters) && radiusMeters > 0 ? radiusMeters : undefined,
    placeId: values.get('place') ?? undefined,
    point: parsePoint(values.get('at') ?? ''),
  };
}

/** The query string of the page's URL, with its `?` unless it is empty. */
export function formatState(state: PageState, center: LatLng | undefined): string {
  const near = state.near === 'center' ? center : state.near;
  const values = {
    q: state.text,
    type: state.types.join(),
    countries: state.countries.join(),
    lang: state.language,
    near: typeof near === 'object' ? formatPoint(near) : near,
    radius: near === undefined ? undefined : state.radiusMeters?.toString(),
    place: state.placeId,
    at: state.point && formatPoint(state.point),
  };
  const pairs = Object.entries(values).filter((pair): pair is [string, string] => Boolean(pair[1]));
  // commas need no escape, and are easier to read
  const text = new URLSearchParams(pairs).toString().replaceAll('%2C', ',');
  return text && `?${text}`;
}

/** Empty for a malformed tag: the API ignores it, but the map's labels would throw. */
function languageTag(text: string): string {
  try {
    Intl.getCanonicalLocales(text);
    return text;
  } catch {
    return '';
  }
}

export function formatPoint({ lat, lng }: LatLng): string {
  return `${roundedDegrees(lat)},${roundedDegrees(lng)}`;
}

export type SearchRequest =
  | { readonly endpoint: 'query'; readonly text: string; readonly options: QueryOptions }
  | { readonly endpoint: 'reverse'; readonly point: LatLng; readonly options: ReverseOptions };

/** `center`: the middle of the map, if there is one. */
export function searchRequest(state: PageState, center: LatLng | undefined): SearchRequest {
  const { point, text } = state;
  if (point === undefined) return { endpoint: 'query', text, options: queryOptions(state, center) };
  return { endpoint: 'reverse', point, options: { ...sharedOptions(state), hitsPerPage: 10 } };
}

/** The options with which a text is searched for. */
export function queryOptions(state: PageState, center: LatLng | undefined): QueryOptions {
  const near = state.near === 'center' ? center : state.near;
  const around = near === 'ip' ? { aroundLatLngViaIP: true } : near && { aroundLatLng: formatPoint(near) };
  return {
    ...sharedOptions(state),
    ...(state.countries.length > 0 && { countries: state.countries }),
    ...around,
    ...(around && state.radiusMeters !== undefined && { aroundRadius: state.radiusMeters }),
    getRankingInfo: true,
  };
}

function sharedOptions({ types, language }: PageState) {
  return { ...(types.length > 0 && { type: types }), ...(language !== '' && { language }) };
}
