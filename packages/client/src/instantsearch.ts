/** The export `toponym-client/instantsearch`: a `searchClient` for InstantSearch. */
import type { Hit, QueryOptions } from './api-types.ts';
import type { Client } from './client.ts';
import { highlightParts } from './element/hit-text.ts';
import { createWidgetSearch, type WidgetOptions } from './widget-search.ts';

interface SearchRequest {
  readonly indexName: string;
  readonly params?: object;
}

/** InstantSearch also sends options that the API would refuse. */
interface SharedParams extends Pick<QueryOptions, 'hitsPerPage' | 'aroundLatLng' | 'insideBoundingBox'> {
  readonly query?: string;
  readonly aroundRadius?: number | 'all';
}

export function createSearchClient(client: Client, options?: WidgetOptions) {
  const searches: ReturnType<typeof createWidgetSearch>[] = [];
  const answer = async ({ indexName, params }: SearchRequest, i: number) => {
    const given: SharedParams = params ?? {};
    const { query = '', hitsPerPage, aroundLatLng, insideBoundingBox } = given;
    const aroundRadius = given.aroundRadius === 'all' ? undefined : given.aroundRadius;
    searches[i] ??= createWidgetSearch(client, options);
    const result = await searches[i](query, { hitsPerPage, aroundLatLng, aroundRadius, insideBoundingBox });
    const { hits = [], nbHits = 0, processingTimeMS = 0 } = result ?? {};
    return { hits: hits.map(withMarks), nbHits, processingTimeMS, index: indexName, query, page: 0, nbPages: 1 };
  };
  return {
    // biome-ignore lint/suspicious/noExplicitAny: the widget's type of results depends on its version
    search: async (requests: readonly SearchRequest[]): Promise<{ results: any[] }> => ({
      results: await Promise.all(requests.map(answer)),
    }),
  };
}

/** InstantSearch escapes highlighted names itself, and marks matches with its own words. */
function withMarks(hit: Hit) {
  const { name } = hit._highlightResult;
  const parts = highlightParts(name.value);
  const value = parts.map((text, i) => (i % 2 === 1 ? `__ais-highlight__${text}__/ais-highlight__` : text)).join('');
  return { ...hit, _highlightResult: { name: { ...name, value } } };
}
