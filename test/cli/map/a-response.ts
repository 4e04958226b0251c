/** Responses with the fields that a map shows. */
import type { Hit, Hits } from '../../../src/client/client.ts';

export function aHit(name: string, lat: number, lng: number, rest: Partial<Hit> = {}): Hit {
  return { name, label: `${name}, Somewhere`, type: 'town', confidence: 0.5, _geoloc: { lat, lng }, ...rest } as Hit;
}

export function aResponse(hits: readonly Hit[], rest: Partial<Hits> = {}): Hits {
  const dataset = { version: 'test-1', attribution: ['Test & data'], places: 2 };
  return { hits, nbHits: hits.length, query: 'test', dataset, ...rest } as Hits;
}
