/** Reads places and divisions (states, counties) from an index. Aliases of divisions are folded. */
import { addToGroup } from 'toponym-engine/collections/sets';
import { type Index, MAX_IMPORTANCE } from 'toponym-engine/index-file/layout';
import {
  readExtent,
  readObjectId,
  readPopulation,
  readText,
  readTimezone,
} from 'toponym-engine/index-file/packed-record';
import {
  definedFields,
  NAME_KINDS,
  PLACE_TYPES,
  type Place,
  type PlaceName,
  type Region,
  type Translations,
} from 'toponym-engine/place/place';
import { listSpellings } from 'toponym-engine/text/spellings';

/** As in the NDJSON format. */
const MAX_KEY_LENGTH = 200;
const MAX_KEY_NAME_LENGTH = 80;

/** Returns the divisions by region id, and a function that reads a place. */
export function openPlaces(index: Index) {
  const textAt = (offset: number) => readText(index, offset);
  const regions = readRegions(index, textAt);
  const externalsByPlace = Map.groupBy(index.externalPlace.keys(), (i) => index.externalPlace[i]!);
  const airportsByPlace = Map.groupBy(index.airportPlace.keys(), (i) => index.airportPlace[i]!);
  const tables = { textAt, regions, externalsByPlace, airportsByPlace };
  return { regions, readPlace: (id: number) => readPlace(index, id, tables) };
}

type TextAt = (offset: number) => string;

interface Tables {
  readonly textAt: TextAt;
  /** Divisions by region id, parents first. */
  readonly regions: ReadonlyMap<number, Region>;
  /** Indexes in `externalText`, by dense id. */
  readonly externalsByPlace: ReadonlyMap<number, readonly number[]>;
  /** Indexes in `airportPlace`, by dense id. */
  readonly airportsByPlace: ReadonlyMap<number, readonly number[]>;
}

function readPlace(index: Index, id: number, tables: Tables): Place {
  const { regions, externalsByPlace, airportsByPlace, textAt } = tables;
  return {
    id: readObjectId(index, id),
    type: PLACE_TYPES[index.placeType[id]!]!,
    names: readNames(index, id, textAt),
    lat: index.placeLatE7[id]! / 1e7,
    lng: index.placeLngE7[id]! / 1e7,
    country: index.metadata.countries[index.placeCountry[id]! - 1] ?? '', // countries[0] is region 1
    adminRank: index.placeRank[id]!,
    importance: index.placeImportance[id]! / MAX_IMPORTANCE,
    ...definedFields({
      admin1: regions.get(index.placeAdmin1[id]!)?.key,
      admin2: regions.get(index.placeAdmin2[id]!)?.key,
      population: readPopulation(index, id) || undefined,
      timezone: index.metadata.timezones[readTimezone(index, id)] || undefined,
      externalIds: externalsByPlace.get(id)?.map((i) => textAt(index.externalText[i]!)),
      box: readExtent(index, id),
      edgeAirports: airportsByPlace.get(id)?.map((i) => {
        return { lat: index.airportE7[2 * i]! / 1e7, lng: index.airportE7[2 * i + 1]! / 1e7 };
      }),
    }),
  };
}

function readNames(index: Index, id: number, textAt: TextAt): PlaceName[] {
  const names: PlaceName[] = [];
  for (let i = index.placeNames[id]!; i < index.placeNames[id + 1]!; i++) {
    const language = index.metadata.languages[index.nameLanguage[i]!];
    const name = { value: textAt(index.nameText[i]!), kind: NAME_KINDS[index.nameKind[i]!]! };
    names.push(language ? { ...name, language } : name);
  }
  return names;
}

function readRegions(index: Index, textAt: TextAt): Map<number, Region> {
  const foldedNames = readFoldedNames(index);
  const regions = new Map<number, Region>();
  const keys = new Set<string>();
  for (let id = index.metadata.countries.length + 1; id < index.regionText.length; id++) {
    const level = index.regionLevel[id] === 1 ? 1 : 2;
    const parent = index.regionParent[id]!;
    // countries[0] is region 1
    const parentKey = index.metadata.countries[parent - 1] ?? regions.get(parent)?.key;
    if (parentKey === undefined) continue;
    const name = textAt(index.regionText[id]!);
    const storedKey = textAt(index.regionKey[id]!);
    const key = unusedKey(isKeyBelow(parentKey, storedKey) ? storedKey : keyFromName(parentKey, name), keys);
    keys.add(key);
    const translations = readTranslations(index, id, textAt);
    const spellings = new Set(listSpellings(name));
    const aliases = (foldedNames.get(id) ?? []).filter((folded) => !spellings.has(folded));
    const region = { key, level, country: key.slice(0, 2), name, aliases, areAliasesFolded: true } as const;
    regions.set(id, translations.size === 0 ? region : { ...region, translations });
  }
  return regions;
}

function readTranslations(index: Index, region: number, textAt: TextAt): Translations {
  const translations = new Map<string, string>();
  for (let i = index.regionTranslations[region]!; i < index.regionTranslations[region + 1]!; i++) {
    translations.set(index.metadata.languages[index.translationLanguage[i]!]!, textAt(index.translationText[i]!));
  }
  return translations;
}

/** `US.TX` is below `US`. */
function isKeyBelow(parentKey: string, key: string): boolean {
  const code = key.slice(parentKey.length + 1);
  return key.startsWith(`${parentKey}.`) && /^[^.]+$/.test(code) && key.length <= MAX_KEY_LENGTH;
}

/** A key for a division whose stored key other readers would not accept: `US.~texas`. */
function keyFromName(parentKey: string, name: string): string {
  // dots separate the parts of a key, and `~` avoids clashes with codes such as `TX`
  return `${parentKey}.~${name.toLowerCase().replaceAll('.', '·').slice(0, MAX_KEY_NAME_LENGTH)}`;
}

function unusedKey(key: string, used: ReadonlySet<string>): string {
  let unused = key;
  for (let n = 2; used.has(unused); n++) unused = `${key}~${n}`;
  return unused;
}

interface PendingNode {
  readonly node: number;
  readonly prefix: string;
  readonly postingsEnd: number;
}

/** Keys of the region trie, by region id. */
function readFoldedNames(index: Index): Map<number, string[]> {
  const { regionTrieChildStart: childStart, regionTriePostingStart: postingStart, regionPostings } = index;
  const names = new Map<number, string[]>();
  const pending: PendingNode[] = [{ node: 0, prefix: '', postingsEnd: regionPostings.length }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, prefix, postingsEnd } = next;
    const name = prefix + readEdge(index, node);
    const firstChild = childStart[node]!;
    const childEnd = childStart[node + 1]!;
    const ownPostingsEnd = firstChild < childEnd ? postingStart[firstChild] : postingsEnd;
    for (const region of regionPostings.subarray(postingStart[node], ownPostingsEnd)) addToGroup(names, region, name);
    // in reverse, so that children are popped in order
    for (let i = childEnd - 1; i >= firstChild; i--) {
      const isLast = i + 1 === childEnd;
      pending.push({ node: i, prefix: name, postingsEnd: isLast ? postingsEnd : postingStart[i + 1]! });
    }
  }
  return names;
}

function readEdge({ regionTrieEdgeLetter, regionTrieTailStart, regionTrieTailLetters }: Index, node: number): string {
  if (node === 0) return '';
  const tail = regionTrieTailLetters.subarray(regionTrieTailStart[node], regionTrieTailStart[node + 1]);
  return String.fromCharCode(regionTrieEdgeLetter[node]!, ...tail);
}
