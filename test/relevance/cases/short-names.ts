/**
 * Short names: typed whole they stay within reach, though larger places start with the same
 * letters.
 */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case a line
export const shortNames: readonly RelevanceCase[] = [
  { query: 'Y', intent: 'The place in Alaska that is also called Y', expect: 'G7263043', within: 10 },
  { query: 'Au', intent: 'A village called Au', expect: ['G2661689', 'G2782254', 'G2954803'], within: 10 },
  { query: 'Ii', intent: 'The town in northern Finland', expect: 'G656851', within: 1 },
  { query: 'Bo', intent: 'The second city of Sierra Leone', expect: 'G2410048', within: 1 },
  { query: 'Ho', intent: 'The city in Ghana', expect: 'G2300379', within: 5 },
  { query: 'Bø', intent: 'A village in Norway', expect: 'G3160911', within: 5 },
  { query: 'Ål', intent: 'A village in Norway', expect: 'G3163410', within: 3 },
  { query: 'Eu', intent: 'The town in Normandy', expect: 'G3019329', within: 1 },
  { query: 'Is', intent: 'A place whose name is or starts with the word Is', expect: ['G3012652', 'G556131'], within: 10 },
  { query: 'Ub', intent: 'The town in Serbia', expect: 'G784795', within: 3 },
  { query: 'Ome', intent: 'The city west of Tokyo', expect: 'G1854162', within: 3 },
  { query: 'Ulm', intent: 'The city on the Danube', expect: 'G2820256', within: 1 },
  { query: 'Pau', intent: 'The city below the Pyrenees', expect: 'G2988358', within: 1 },
  { query: 'Nis', intent: 'Niš without the hook', expect: 'G787657', within: 1 },
  { query: 'Bar', intent: 'The port of Montenegro', expect: 'G3204509', within: 5 },
  { query: 'Ely', intent: 'The English cathedral city', expect: 'G2650023', within: 1 },
  { query: 'Rye', intent: 'Rye in Sussex or New York', expect: ['G2638909', 'G5134693'], within: 1 },
  { query: 'Qom', intent: 'The holy city in Iran', expect: 'G119208', within: 1 },
  { query: 'Fez', intent: 'The Moroccan city in English', expect: 'G2548885', within: 1 },
  { query: 'Ica', intent: 'The city in Peru', expect: 'G3938527', within: 1 },
  { query: 'Jos', intent: 'The city on the Nigerian plateau', expect: 'G2335953', within: 1 },
  { query: 'Hit', intent: 'The town on the Euphrates', expect: 'G95788', within: 5 },
  { query: 'Spa', intent: 'The town that gave spas their name', expect: 'G2786318', within: 1 },
  { query: 'Split', intent: 'The city in Dalmatia', expect: 'G3190261', within: 1 },
  { query: 'Nice', intent: 'The city on the Riviera', expect: 'G2990440', within: 1 },
  { query: 'Bath', intent: 'The English spa', expect: 'G2656173', within: 1 },
  { query: 'Cork', intent: 'The Irish city', expect: 'G2965140', within: 1 },
  { query: 'Reading', intent: 'The English town, not the one in Pennsylvania', expect: 'G2639577', within: 1 },
  { query: 'Łąc', intent: 'Three letters with marks: the Polish village that starts so', expect: 'G3094043', within: 10 },
];
