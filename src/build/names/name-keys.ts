/**
 * The distinct keys of a place: each spelling of each name, from each of its word starts. Romanised
 * names and codes are keys only from their first word. Local names count as main names
 * (local-scripts.ts), isolated alternate names as historic ones (names-in-use.ts). Japanese names
 * are also keys in kana (text/kana.ts).
 */
import { POSTING } from '../../index-file/posting.ts';
import type { NameKind, PlaceName } from '../../place/place.ts';
import { fold, withoutForms } from '../../text/fold.ts';
import { kanaReadings } from '../../text/kana.ts';
import { listSpellings } from '../../text/spellings.ts';
import { wordStarts } from '../../text/word-starts.ts';
import { areLocalNames } from './local-scripts.ts';
import { areInUse } from './names-in-use.ts';

/** The name that a key comes from. */
interface KeyOrigin {
  /** Flags of the posting: see index-file/posting.ts. */
  flags: number;
  /** Index of the name among the place's names. */
  ordinal: number;
}

/** Maximum searchable names per place: the index stores an ordinal in one byte. */
const MAX_NAMES = 256;

/** Quality of a name by its kind: see `POSTING.qualityShift`. */
const QUALITY: Readonly<Record<NameKind, number>> = { main: 0, alternate: 1, historic: 2, code: 2, romanized: 3 };
/** Flags of spellings other than the name as written. */
const NOT_AS_WRITTEN = POSTING.lacksPlainName | POSTING.lacksMarkedName;

/** The keys of the names of a place in this country (ISO 3166-1 alpha-2), and their origins. */
export function createKeys(names: readonly PlaceName[], country: string): Map<string, KeyOrigin> {
  const keys = new Map<string, KeyOrigin>();
  const isLocal = areLocalNames(names, country);
  const isInUse = areInUse(names);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const alternateKind = isLocal[ordinal] ? 'main' : isInUse[ordinal] ? 'alternate' : 'historic';
    const quality = QUALITY[name.kind === 'alternate' ? alternateKind : name.kind] << POSTING.qualityShift;
    listSpellings(name.value).forEach((spelling, i) => {
      const isAsWritten = i === 0; // the first spelling is the folded name
      const flags = quality | (isAsWritten ? writingFlags(name.value, spelling) : NOT_AS_WRITTEN);
      addKey(keys, spelling, { flags, ordinal });
      if (name.kind === 'romanized' || name.kind === 'code') return;
      for (const start of wordStarts(spelling).slice(1)) {
        addKey(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
    });
  });
  if (country === 'JP') addKanaKeys(keys, names);
  return keys;
}

/** Adds the readings of the main name, and of names that differ from it only in long vowels. */
function addKanaKeys(keys: Map<string, KeyOrigin>, names: readonly PlaceName[]): void {
  const main = fold(names[0]?.value ?? '');
  names.slice(0, MAX_NAMES).forEach(({ value }, ordinal) => {
    if (fold(value) !== main) return;
    for (const reading of kanaReadings(value)) addKey(keys, fold(reading), { flags: NOT_AS_WRITTEN, ordinal });
  });
}

/** Whether a name is plain or marked, as flags: see `withoutForms`. */
function writingFlags(name: string, spelling: string): number {
  return withoutForms(name) === spelling ? POSTING.lacksMarkedName : POSTING.lacksPlainName;
}

/** Of two names with the same key, keeps the better; of equally good ones, the flags they share. */
function addKey(keys: Map<string, KeyOrigin>, key: string, candidate: KeyOrigin): void {
  const known = keys.get(key);
  if (known === undefined) keys.set(key, candidate);
  else if (matchRank(candidate) < matchRank(known)) Object.assign(known, candidate);
  else if (matchRank(candidate) === matchRank(known)) known.flags &= candidate.flags;
}

/** Lower is better. */
function matchRank({ flags }: KeyOrigin): number {
  return flags & (POSTING.isLaterWord | POSTING.qualityMask);
}
