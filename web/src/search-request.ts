/** The call of the API that answers a state of the page. */
import type { LatLng, QueryOptions, ReverseOptions } from '../../src/client/client.ts';
import { formatPoint, type PageState } from './page-state.ts';

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
