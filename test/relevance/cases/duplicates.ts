/** A settlement that the data lists twice is shown once; two namesakes nearby are both shown. */
import type { RelevanceCase } from '../relevance-case.ts';

// biome-ignore format: one case per line
export const duplicates: readonly RelevanceCase[] = [
  { query: 'Fuzhou', intent: 'The capital of Fujian, listed twice', expect: 'G1810821', within: 1, duplicates: ['G1810821', 'G8309983'] },
  { query: 'Ümraniye', intent: 'The district of Istanbul, listed twice', expect: 'G738377', within: 1, duplicates: ['G738377', 'G10400338'] },
  { query: 'Kofu', intent: 'The Japanese city, listed twice', expect: 'G1859100', within: 1, duplicates: ['G1859100', 'G10346478'] },
  { query: 'Urayasu', intent: 'The city of Tokyo Disneyland, listed twice', expect: 'G1849186', within: 1, duplicates: ['G1849186', 'G11611480'] },
  { query: 'Büyükçekmece', intent: 'The district of Istanbul, listed twice', expect: 'G6947641', within: 1, duplicates: ['G6947641', 'G750225'] },
  { query: 'Nasushiobara', intent: 'The Japanese city, listed twice', expect: 'G6822174', within: 1, duplicates: ['G6822174', 'G11612573'] },
  { query: 'Izumisano', intent: 'The Japanese city, listed twice', expect: 'G1861091', within: 1, duplicates: ['G1861091', 'G11612567'] },
  { query: 'Pemalang', intent: 'The Javanese town, listed twice', expect: 'G1631648', within: 1, duplicates: ['G1631648', 'G12196969'] },
  { query: 'Bungoma', intent: 'The Kenyan town, listed twice', expect: 'G200067', within: 1, duplicates: ['G200067', 'G8629608'] },
  { query: 'Bela-Bela', intent: 'The South African spa, listed twice', expect: 'G941966', within: 1, duplicates: ['G941966', 'G7576313'] },
  { query: 'Ta Khmau', intent: 'The Cambodian town, listed twice', expect: 'G1821935', within: 1, duplicates: ['G1821935', 'G11459959'] },
  { query: 'Dunaújváros', intent: 'The Hungarian city, listed twice', expect: 'G3053438', within: 1, duplicates: ['G3053438', 'G3047474'] },
  { query: 'Javanrud', intent: 'The Iranian town, listed twice', expect: 'G130245', within: 1, duplicates: ['G130245', 'G25883'] },
  { query: 'Atbasar', intent: 'The Kazakh town, listed twice', expect: 'G1526038', within: 1, duplicates: ['G1526038', 'G1537264'] },
  { query: 'Tyrnyauz', intent: 'The town below Elbrus, listed twice', expect: 'G479933', within: 1, duplicates: ['G479933', 'G474982'] },
  { query: 'Alajärvi', intent: 'The Finnish town, listed twice', expect: ['G661576', 'G11593510'], within: 1, duplicates: ['G661576', 'G11593510'] },
  { query: 'Williamsburg Virginia', intent: 'The colonial town, listed twice', expect: 'G4793846', within: 1, duplicates: ['G4793846', 'G9036748'] },
  { query: 'St. Marys Georgia', intent: 'The American town, listed twice', expect: 'G4220629', within: 1, duplicates: ['G4220629', 'G9409658'] },
  { query: 'Texarkana', intent: 'The half in Texas: two cities on a state line, not duplicates', expect: 'G4736096', within: 3 },
  { query: 'Texarkana', intent: 'The half in Arkansas', expect: 'G4133367', within: 3 },
  { query: 'Bristol', intent: 'The English city, with American ones below', expect: 'G2654675', within: 1 },
  { query: 'Fuzho', intent: 'Unfinished: still shown once', expect: 'G1810821', within: 1, duplicates: ['G1810821', 'G8309983'] },
];
