/** Filters by country, type and radius. */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case per line
export const filters: readonly RelevanceCase[] = [
  { query: 'London', intent: 'London in Canada only', expect: 'G6058560', within: 1, countries: ['CA'] },
  { query: 'London', intent: 'London in the United States only', expect: ['G4517009', 'G4298960'], within: 1, countries: ['US'] },
  { query: 'Paris', intent: 'Paris in the United States only', expect: 'G4717560', within: 1, countries: ['US'] },
  { query: 'Santiago', intent: 'Santiago in Spain only', expect: 'G3109642', within: 1, countries: ['ES'] },
  { query: 'Santiago', intent: 'Santiago in the Dominican Republic only', expect: 'G3492914', within: 1, countries: ['DO'] },
  { query: 'Victoria', intent: 'Victoria in the Seychelles only', expect: 'G241131', within: 1, countries: ['SC'] },
  { query: 'Cambridge', intent: 'Cambridge in the United States or Canada', expect: 'G4931972', within: 1, countries: ['US', 'CA'] },
  { query: 'San José', intent: 'San José in Costa Rica only', expect: 'G3621849', within: 1, countries: ['CR'] },
  { query: '', intent: 'No words: the most important place of Germany', expect: 'G2950159', within: 1, countries: ['DE'] },
  { query: '', intent: 'No words: the most important place of France', expect: 'G2988507', within: 1, countries: ['FR'] },
  { query: '', intent: 'No words: the most important place of Italy', expect: ['G3169070', 'G3173435'], within: 1, countries: ['IT'] },
  { query: 'Kreuzberg', intent: 'Only suburban areas', expect: 'G2884161', within: 1, types: ['suburban area'] },
  { query: 'Brooklyn', intent: 'Only cities and suburban areas', expect: 'G5110302', within: 1, types: ['city', 'suburban area'] },
  { query: 'Paris', intent: 'Only towns, in the United States', expect: 'G4717560', within: 1, types: ['town'], countries: ['US'] },
  { query: 'Spring', intent: 'Unfinished, only cities, in the United States', expect: ['G4409896', 'G4250542', 'G4951788'], within: 3, types: ['city'], countries: ['US'] },
  { query: 'Hallstatt', intent: 'Only villages and hamlets', expect: 'G2776943', within: 1, types: ['village', 'hamlet'] },
  { query: 'Frankfurt', intent: 'Within 50 km of the Oder', expect: 'G2925535', within: 1, around: { lat: 52.35, lng: 14.55 }, radiusMeters: 50_000 },
  { query: 'Paris', intent: 'Within 200 km of Dallas', expect: 'G4717560', within: 1, around: { lat: 32.78, lng: -96.8 }, radiusMeters: 200_000 },
  { query: '', intent: 'No words, within 10 km of Zürich', expect: 'G2657896', within: 1, around: { lat: 47.38, lng: 8.54 }, radiusMeters: 10_000 },
  { query: 'Londen', intent: 'Misspelt, in Canada only', expect: 'G6058560', within: 1, countries: ['CA'] },
  { query: 'Birminghm', intent: 'Misspelt, in the United States only', expect: 'G4049979', within: 1, countries: ['US'] },
  { query: 'lond', intent: 'Unfinished, in Canada only', expect: 'G6058560', within: 1, countries: ['CA'] },
  { query: 'Londres', intent: 'In French, in the United Kingdom only', expect: 'G2643743', within: 1, countries: ['GB'] },
  { query: 'munich', intent: 'The answer in German changes nothing in the order', expect: 'G2867714', within: 1, language: 'de' },
  { query: 'Wien', intent: 'The answer in English changes nothing in the order', expect: 'G2761369', within: 1, language: 'en' },
];
