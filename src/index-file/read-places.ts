/**
 * Reads places and divisions back from an opened index, as far as the file preserves them. The
 * file does not store the keys of divisions, so new keys are derived from their names, and it
 * stores the alternate names of divisions only in folded form.
 */
import { NAME_KINDS, PLACE_TYPES, type Place, type PlaceName, type Region } from '../place/place.ts';
import { listSpellings } from '../text/spellings.ts';
import type { Index } from './layout.ts';
import { readObjectId, readPopulation, readTimezone } from './packed-record.ts';

export interface IndexedPlaces {
  /** Divisions by region id, parents first. */
  readonly regions: ReadonlyMap<number, Region>;
  /** Reads the place with this dense id. */
  place(id: number): Place;
}

export function openPlaces(index: Index): IndexedPlaces {
  const texts = Buffer.from(index.texts.buffer as ArrayBuffer, index.texts.byteOffset, index.texts.byteLength);
  const textAt = (offset: number) => {
    const start = offset + 2;
    return texts.toString('utf8', start, start + texts.readUInt16LE(offset));
  };
  const tables = { textAt, regions: readRegions(index, textAt), externals: readExternals(index) };
  return { regions: tables.regions, place: (id) => readPlace(index, id, tables) };
}

interface Tables {
  readonly textAt: (offset: number) => string;
  readonly regions: ReadonlyMap<number, Region>;
  /** Text offsets of external ids, by place. */
  readonly externals: ReadonlyMap<number, readonly number[]>;
}

function readPlace(index: Index, id: number, tables: Tables): Place {
  const { regions, externals, textAt } = tables;
  const externalIds = externals.get(id)?.map(textAt);
  const population = readPopulation(index, id);
  const timezone = index.metadata.timezones[readTimezone(index, id)];
  const admin1 = regions.get(index.placeAdmin1[id]!)?.key;
  const admin2 = regions.get(index.placeAdmin2[id]!)?.key;
  return {
    id: readObjectId(index, id),
    type: PLACE_TYPES[index.placeType[id]!]!,
    names: readNames(index, id, tables),
    lat: index.placeLatE7[id]! / 1e7,
    lng: index.placeLngE7[id]! / 1e7,
    country: index.metadata.countries[index.placeCountry[id]! - 1] ?? '',
    adminRank: index.placeRank[id]!,
    ...(admin1 === undefined ? {} : { admin1 }),
    ...(admin2 === undefined ? {} : { admin2 }),
    ...(population === 0 ? {} : { population }),
    ...(timezone ? { timezone } : {}),
    ...(externalIds === undefined ? {} : { externalIds }),
  };
}

function readNames(index: Index, id: number, { textAt }: Tables): PlaceName[] {
  const names: PlaceName[] = [];
  for (let name = index.placeNames[id]!; name < index.placeNames[id + 1]!; name++) {
    const language = index.metadata.languages[index.nameLanguage[name]!];
    const read = { value: textAt(index.nameText[name]!), kind: NAME_KINDS[index.nameKind[name]!]! };
    names.push(language ? { ...read, language } : read);
  }
  return names;
}

function readExternals({ externalPlace, externalText }: Index): Map<number, number[]> {
  const externals = new Map<number, number[]>();
  externalPlace.forEach((place, i) => {
    const offsets = externals.get(place) ?? [];
    offsets.push(externalText[i]!);
    externals.set(place, offsets);
  });
  return externals;
}

function readRegions(index: Index, textAt: Tables['textAt']): Map<number, Region> {
  const aliases = readAliases(index);
  const regions = new Map<number, Region>();
  const keys = new Set<string>();
  for (let id = index.metadata.countries.length + 1; id < index.regionText.length; id++) {
    const level = index.regionLevel[id] === 1 ? 1 : 2;
    const parent = parentKey(index, id, regions);
    if (parent === undefined) continue;
    const name = textAt(index.regionText[id]!);
    const key = unusedKey(`${parent}.~${name.toLowerCase().replaceAll('.', '·').slice(0, 80)}`, keys);
    keys.add(key);
    const own = new Set(listSpellings(name));
    const others = (aliases.get(id) ?? []).filter((alias) => !own.has(alias));
    regions.set(id, { key, level, country: key.slice(0, 2), name, aliases: others });
  }
  return regions;
}

/** Undefined if the parent is not in the index, because no place belongs to it. */
function parentKey(index: Index, region: number, regions: ReadonlyMap<number, Region>): string | undefined {
  const parent = index.regionParent[region]!;
  return index.metadata.countries[parent - 1] ?? regions.get(parent)?.key;
}

function unusedKey(key: string, used: ReadonlySet<string>): string {
  let unused = key;
  for (let n = 2; used.has(unused); n++) unused = `${key}~${n}`;
  return unused;
}

interface PendingNode {
  readonly node: number;
  /** The text down to the node's edge. */
  readonly before: string;
  /** End of the postings at or below the node. */
  readonly end: number;
}

/** Folded names by region, from a walk over the whole region trie. */
function readAliases(index: Index): Map<number, string[]> {
  const { regionTrieChild: child, regionTrieValue: value, regionPostings } = index;
  const aliases = new Map<number, string[]>();
  const pending: PendingNode[] = [{ node: 0, before: '', end: regionPostings.length }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, before, end } = next;
    const text = before + readEdge(index, node);
    const first = child[node]!;
    const last = child[node + 1]!;
    const own = regionPostings.subarray(value[node], first < last ? value[first] : end);
    for (const region of own) {
      const known = aliases.get(region);
      if (known === undefined) aliases.set(region, [text]);
      else known.push(text);
    }
    // last child first, so that names are visited in order
    for (let i = last - 1; i >= first; i--) {
      pending.push({ node: i, before: text, end: i + 1 < last ? value[i + 1]! : end });
    }
  }
  return aliases;
}

/** Letters of the edge into a node; empty for the root. */
function readEdge({ regionTrieChar, regionTrieTail, regionTrieTails }: Index, node: number): string {
  if (node === 0) return '';
  const tail = regionTrieTails.subarray(regionTrieTail[node], regionTrieTail[node + 1]);
  const bytes = Buffer.from(tail.buffer as ArrayBuffer, tail.byteOffset, tail.byteLength);
  return String.fromCharCode(regionTrieChar[node]!) + bytes.toString('utf16le');
}
