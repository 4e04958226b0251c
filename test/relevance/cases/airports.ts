/** Airports, by code or name: the city that they serve. */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case per line
export const airports: readonly RelevanceCase[] = [
  { query: 'LHR', intent: 'Heathrow is an airport of London', expect: 'G2643743', within: 1 },
  { query: 'CDG', intent: 'Roissy is an airport of Paris', expect: 'G2988507', within: 1 },
  { query: 'HND', intent: 'Haneda is an airport of Tokyo', expect: 'G1850147', within: 1 },
  { query: 'NRT', intent: 'Narita is an airport of Tokyo', expect: 'G1850147', within: 1 },
  { query: 'FCO', intent: 'Fiumicino is an airport of Rome', expect: 'G3169070', within: 1 },
  { query: 'ORD', intent: 'O’Hare is an airport of Chicago', expect: 'G4887398', within: 1 },
  { query: 'BSL', intent: 'Basel, although its airport is in France', expect: 'G2661604', within: 1 },
  { query: 'EWR', intent: 'Newark, not New York', expect: 'G5101798', within: 1 },
  { query: 'EZE', intent: 'In capitals, the airport of Buenos Aires', expect: 'G3435910', within: 1 },
  { query: 'eze', intent: 'The village on the Riviera', expect: 'G3019174', within: 1 },
  { query: 'lhr', intent: 'The code in small letters', expect: 'G2643743', within: 1 },
  { query: 'poa', intent: 'The airport of Porto Alegre, after the town of Poá', expect: 'G3452925', within: 3 },
  { query: 'FRA', intent: 'Frankfurt, whose code is also that of France', expect: 'G2925533', within: 1 },
  { query: 'AUS', intent: 'Austin in Texas, whose code is also that of Australia', expect: 'G4671654', within: 1 },
  { query: 'jfk airport', intent: 'A code and a word for airport', expect: 'G5128581', within: 1 },
  { query: 'aéroport cdg', intent: 'A code after a word for airport', expect: 'G2988507', within: 1 },
  { query: 'heathrow airport', intent: 'London, not Heathrow in Florida', expect: 'G2643743', within: 1 },
  { query: 'schiphol airport', intent: 'The airport of Amsterdam', expect: 'G2759794', within: 1 },
  { query: 'phoenix airport', intent: 'Phoenix in Arizona, not Sanya, whose airport is called Phoenix', expect: 'G5308655', within: 1 },
];
