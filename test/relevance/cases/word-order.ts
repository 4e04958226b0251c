/** Words in any order. */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case per line
export const wordOrder: readonly RelevanceCase[] = [
  { query: 'Janeiro Rio de', intent: 'Rio de Janeiro reordered', expect: 'G3451190', within: 3 },
  { query: 'Aires Buenos', intent: 'Buenos Aires reordered', expect: 'G3435910', within: 1 },
  { query: 'Francisco San', intent: 'San Francisco reordered', expect: 'G5391959', within: 1 },
  { query: 'York New', intent: 'New York reordered', expect: 'G5128581', within: 1 },
  { query: 'Angeles Los', intent: 'Los Angeles reordered', expect: 'G5368361', within: 1 },
  { query: 'City Mexico', intent: 'Mexico City reordered', expect: 'G3530597', within: 1 },
  { query: 'Vegas Las', intent: 'Las Vegas reordered', expect: 'G5506956', within: 1 },
  { query: 'Vegas', intent: 'Las Vegas by its second word', expect: 'G5506956', within: 1 },
  { query: 'Francisco', intent: 'San Francisco by its second word', expect: 'G5391959', within: 5 },
  { query: 'Janeiro', intent: 'Rio by its last word', expect: 'G3451190', within: 1 },
  { query: 'Lumpur', intent: 'Kuala Lumpur by its second word', expect: 'G1735161', within: 1 },
  { query: 'Lumpur Kuala', intent: 'Kuala Lumpur reordered', expect: 'G1735161', within: 1 },
  { query: 'Aviv Tel', intent: 'Tel Aviv reordered', expect: 'G293397', within: 1 },
  { query: 'Hague', intent: 'The Hague without its article', expect: 'G2747373', within: 1 },
  { query: 'Hague, The', intent: 'The Hague as an index sorts it', expect: 'G2747373', within: 1 },
  { query: 'Compostela', intent: 'Santiago de Compostela by its last word', expect: 'G3109642', within: 3 },
  { query: 'Main Frankfurt', intent: 'Frankfurt reordered', expect: 'G2925533', within: 1 },
  { query: 'Frankfurt Main', intent: 'Frankfurt without the small word', expect: 'G2925533', within: 1 },
  { query: 'Tyne Newcastle', intent: 'Newcastle reordered', expect: 'G2641673', within: 1 },
  { query: 'Newcastle Tyne', intent: 'Newcastle without the small word', expect: 'G2641673', within: 1 },
  { query: 'Novgorod Nizhny', intent: 'Nizhny Novgorod reordered', expect: 'G520555', within: 1 },
  { query: 'Новгород Нижний', intent: 'Nizhny Novgorod reordered, in Russian', expect: 'G520555', within: 1 },
  { query: 'Chi Minh', intent: 'Ho Chi Minh City by its middle words', expect: 'G1566083', within: 1 },
  { query: 'Rio Janeiro', intent: 'Rio without the small word', expect: 'G3451190', within: 1 },
  { query: 'Stratford Avon', intent: 'Stratford without the small word', expect: 'G2636713', within: 1 },
];
