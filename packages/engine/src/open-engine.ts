/** Opens an index as an engine. */

import type { LoadBorders } from './containing/point-countries.ts';
import type { Dataset, Engine, FullRecord, ReverseQuery, SearchQuery, SearchResult } from './engine.ts';
import { openIndex } from './index-file/open-index.ts';
import { IndexPages } from './index-pages.ts';
import { createResult } from './page/hit-page.ts';
import { parseCoordinates } from './place/coordinates/coordinate-text.ts';
import type { LatLng } from './place/sphere.ts';
import { MAX_WORK } from './work-budget.ts';

interface EngineOptions {
  /** Bounds the work of a search. */
  readonly maxWork?: number;
  /** Needed for reverse lookups in mode `containing` to respect borders. */
  readonly loadBorders?: LoadBorders | undefined;
}

export function openEngine(
  bytes: SharedArrayBuffer | ArrayBuffer,
  { maxWork = MAX_WORK, loadBorders }: EngineOptions = {},
): Engine {
  return new IndexEngine(new IndexPages(openIndex(bytes), { maxWork, loadBorders }));
}

class IndexEngine implements Engine {
  readonly dataset: Dataset;
  private readonly pages: IndexPages;

  constructor(pages: IndexPages) {
    this.dataset = pages.dataset;
    this.pages = pages;
  }

  search(asSent: SearchQuery): SearchResult {
    const query = withoutPercents(asSent);
    return this.searchAtCoordinates(query) ?? createResult(this.pages, this.pages.searches.page(query), query);
  }

  /** Answers a search for coordinates, such as "48.8584, 2.2945". Undefined for other texts. */
  private searchAtCoordinates(query: SearchQuery): SearchResult | undefined {
    const { text, limit, types, language } = query;
    const resultAt = (typedPoint: LatLng): SearchResult => {
      const result = this.reverse({ at: typedPoint, limit, mode: 'containing', types, language, filters: query });
      const { hits, total, isTotalExact, isExhaustive, work, pointCountry } = result;
      return { hits, total, isTotalExact, isExhaustive, work, pointCountry, typedPoint };
    };
    const results = parseCoordinates(text).map(resultAt);
    return results.find(isInPlace) ?? results.find(isInCountry) ?? results[0];
  }

  reverse(query: ReverseQuery): SearchResult {
    return createResult(this.pages, this.pages.reversePage(query), query);
  }

  get(objectID: string, language?: string): FullRecord | undefined {
    return this.pages.get(objectID, language);
  }
}

/** Decodes the text of a query that was encoded twice: "S%C3%A3o%20Paulo". */
function withoutPercents(query: SearchQuery): SearchQuery {
  const { text } = query;
  if (!/%[0-9a-f]{2}/i.test(text)) return query;
  try {
    return { ...query, text: decodeURIComponent(text) };
  } catch {
    return query; // no UTF-8
  }
}

function isInPlace({ hits }: SearchResult): boolean {
  return hits[0]?.isInside === true;
}

function isInCountry({ pointCountry }: SearchResult): boolean {
  return typeof pointCountry === 'string';
}
