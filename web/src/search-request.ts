/** The call of the API that answers a state of the page. */
import type { LatLng, QueryOptions, ReverseOptions } from '../../src/client/client.ts';
import { formatPoint, type PageState } from './page-state.ts';

export type SearchRequest =
  | { readonly endpoint: 'query'; readonly text: string; readonly options: QueryOptions }
  | { readonly endpoint: 'reverse'; readonly point: LatLng; readonly options: ReverseOptions };

/** `center`: the middle of the map, if there is one. */
export function searchRequest(state: PageState, center: LatLng | undefined): SearchRequest {
  const { point, text } = state;
  const shared = {
    ...(state.types.length > 0 && { type: state.types }),
    ...(state.language !== '' && { language: state.language }),
  };
  if (point !== undefined) return { endpoint: 'reverse', point, options: { ...shared, hitsPerPage: 10 } };
  const near = state.near === 'center' ? center : state.near;
  const around = near === 'ip' ? { aroundLatLngViaIP: true } : near && { aroundLatLng: formatPoint(near) };
  const options = {
    ...shared,
    ...(state.countries.length > 0 && { countries: state.countries }),
    ...around,
    ...(around && state.radiusMeters !== undefined && { aroundRadius: state.radiusMeters }),
    getRankingInfo: true,
  };
  return { endpoint: 'query', text, options };
}
