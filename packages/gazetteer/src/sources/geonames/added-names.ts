/** Names that tables/ add to places by GeoNames id: in languages, nicknames, and the airports that serve a city. */
import { addToGroup } from 'toponym-engine/collections/sets';
import { type PlaceName, SEVERAL_LANGUAGES } from 'toponym-engine/place/place';
import { readTable } from '../tables.ts';

const addedNamesById = new Map<string, PlaceName[]>();
const addName = (id: string, name: PlaceName) => addToGroup(addedNamesById, id, name);
/** Languages that the tables got after the weights of the importance had been fitted. */
const UNRANKED_LANGUAGES = {
  'city-names': '',
  'timezone-city-names': 'gu kn ml mr pa',
  'division-city-names': 'bn gu kn ml mr pa ta te th ur zh',
};
for (const table of ['city-names', 'timezone-city-names', 'division-city-names'] as const) {
  const unranked = UNRANKED_LANGUAGES[table].split(' ');
  for (const { id, language, name } of readTable(table)) {
    const isUnranked = unranked.includes(language) ? { isUnranked: true as const } : {};
    addName(id, { value: name, kind: 'alternate', language, ...isUnranked });
  }
}
// nicknames, airports and their codes are in no single language, so they are found but not shown
for (const { id, name } of readTable('nicknames')) {
  addName(id, { value: name, kind: 'alternate', language: SEVERAL_LANGUAGES });
}
for (const { id, name } of readTable('airports')) addName(id, { value: name, kind: 'code' });

export function addedNames(geonameId: string): readonly PlaceName[] {
  return addedNamesById.get(geonameId) ?? [];
}
