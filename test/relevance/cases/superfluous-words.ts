/** Queries with an extra or unknown word: the other words still find the place. */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case per line
export const superfluousWords: readonly RelevanceCase[] = [
  { query: 'city of london', intent: 'The City or the whole of London', expect: ['G2643743', 'G2643741'], within: 1 },
  { query: 'city of paris', intent: 'Paris with a word that is not in its name', expect: 'G2988507', within: 1 },
  { query: 'hotel berlin', intent: 'Berlin with what the person wants there', expect: 'G2950159', within: 3 },
  { query: 'berlin hotel', intent: 'The same in the other order', expect: 'G2950159', within: 3 },
  { query: 'cheap flights to barcelona', intent: 'Barcelona in the middle of a wish', expect: 'G3128760', within: 3 },
  { query: 'weather oslo', intent: 'Oslo with what the person wants to know', expect: 'G3143244', within: 3 },
  { query: 'oslo weather', intent: 'The same in the other order', expect: 'G3143244', within: 3 },
  { query: 'london xyzzyq', intent: 'London with a word nobody knows', expect: 'G2643743', within: 3 },
  { query: 'xyzzyq london', intent: 'The same in the other order', expect: 'G2643743', within: 3 },
  { query: 'downtown chicago', intent: 'Chicago with a part of it that has no record', expect: 'G4887398', within: 3 },
  { query: 'berlin mitte', intent: 'The middle of Berlin', expect: 'G6545310', within: 3 },
  { query: 'greater manchester', intent: 'Manchester with the name of its county', expect: 'G2643123', within: 3 },
  { query: 'paris 75001', intent: 'Paris with a postcode', expect: 'G2988507', within: 1 },
  { query: '10115 Berlin', intent: 'Berlin after its postcode', expect: 'G2950159', within: 1 },
  { query: 'london SW1A 1AA', intent: 'London with a postcode', expect: 'G2643743', within: 3 },
  { query: 'München Hauptbahnhof', intent: 'Munich with its main station', expect: 'G2867714', within: 3 },
  { query: 'Heathrow airport london', intent: 'London with its airport', expect: 'G2643743', within: 3 },
  { query: 'Stadt Wien', intent: 'Vienna with the German word for city', expect: 'G2761369', within: 3 },
  { query: 'ville de Lyon', intent: 'Lyon with the French words for city of', expect: 'G2996944', within: 3 },
  { query: 'ciudad de Córdoba', intent: 'Córdoba with the Spanish words for city of', expect: ['G3860259', 'G2519240'], within: 3 },
  { query: 'город Пермь', intent: 'Perm with the Russian word for city', expect: 'G511196', within: 3 },
  { query: 'г. Казань', intent: 'Kazan with the Russian abbreviation for city', expect: 'G551487', within: 1 },
  { query: 'Toulouse, Narnia', intent: 'Toulouse with a region that does not exist', expect: 'G2972315', within: 1 },
  { query: 'Boston, Bavaria', intent: 'Boston with a region it is not in', expect: 'G4930956', within: 3 },
  { query: 'the paris', intent: 'Paris with an article it has not', expect: 'G2988507', within: 3 },
  { query: 'Genoa harbour', intent: 'Genoa with a common word', expect: 'G3176219', within: 3 },
];
