/**
 * What an engine does with a text before it looks for names: decodes it, and answers a search for
 * coordinates ("48.8584, 2.2945") with the place that they are in.
 */
import { parseCoordinates } from '../place/coordinates/coordinate-text.ts';
import type { LatLng } from '../place/sphere.ts';
import type { Engine, SearchQuery, SearchResult } from './engine.ts';

/** Decodes the text of a query that was encoded twice: "S%C3%A3o%20Paulo". */
export function withoutPercents(query: SearchQuery): SearchQuery {
  const { text } = query;
  if (!/%[0-9a-f]{2}/i.test(text)) return query;
  try {
    return { ...query, text: decodeURIComponent(text) };
  } catch {
    return query; // no UTF-8
  }
}

/** Undefined if the text is no pair of coordinates. */
export function searchAtCoordinates(
  engine: Pick<Engine, 'reverse'>,
  { text, limit, types, language, countries, around, radiusMeters, box }: SearchQuery,
): SearchResult | undefined {
  const filters = { countries, around, radiusMeters, box };
  const resultAt = (typedPoint: LatLng): SearchResult => {
    const result = engine.reverse({ at: typedPoint, limit, mode: 'containing', types, language, filters });
    const { hits, total, isTotalExact, isExhaustive, work, pointCountry } = result;
    return { hits, total, isTotalExact, isExhaustive, work, pointCountry, typedPoint };
  };
  const results = parseCoordinates(text).map(resultAt);
  return results.find(isInPlace) ?? results.find(isInCountry) ?? results[0];
}

function isInPlace({ hits }: SearchResult): boolean {
  return hits[0]?.isInside === true;
}

function isInCountry({ pointCountry }: SearchResult): boolean {
  return typeof pointCountry === 'string';
}
