/**
 * Creates the distinct keys of a place: each spelling of each name, from each of its word starts.
 * Romanised names, codes and postcodes are keys only from their first word.
 */
import { POSTING } from '../../index-file/posting.ts';
import type { NameKind, PlaceName } from '../../place/place.ts';
import { fold, foldExceptMarks } from '../../text/fold.ts';
import { kanaReadings } from '../../text/kana.ts';
import { listSpellings } from '../../text/spellings.ts';
import { wordStarts } from '../../text/word-starts.ts';
import { areLocalNames } from './local-names.ts';
import { areInUse } from './names-in-use.ts';

interface KeyOrigin {
  /** As in index-file/posting.ts. */
  flags: number;
  /** Index of the name that gives the key. */
  ordinal: number;
}

/** The index stores an ordinal in one byte. */
const MAX_NAMES = 256;

const QUALITY: Readonly<Record<NameKind, number>> = {
  main: 0,
  alternate: 1,
  romanized: 2,
  historic: 3,
  code: 3,
  postcode: 3,
};
/** Kinds whose later words are no keys. */
const FIRST_WORD_ONLY: ReadonlySet<NameKind> = new Set(['romanized', 'code', 'postcode']);
/** People leave out articles: "vegas", "havre". */
const ARTICLE = /^(?:a|al|as|de|den|el|het|il|l|la|las|le|les|lo|los|o|os|the) (?=.{3})/;
const NOT_AS_WRITTEN = POSTING.lacksPlainName | POSTING.lacksMarkedName;

export function createKeys(names: readonly PlaceName[], country: string): Map<string, KeyOrigin> {
  const keys = new Map<string, KeyOrigin>();
  const isLocal = areLocalNames(names, country);
  const isInUse = areInUse(names);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const alternateCountsAs = isLocal[ordinal] ? 'main' : isInUse[ordinal] ? 'alternate' : 'historic';
    const quality = QUALITY[name.kind === 'alternate' ? alternateCountsAs : name.kind];
    spellingsOf(name).forEach((spelling, i) => {
      const isAsWritten = i === 0;
      const writing = isAsWritten ? writingFlags(name.value, spelling) : NOT_AS_WRITTEN;
      const flags = (quality << POSTING.qualityShift) | writing;
      addKey(keys, spelling, { flags, ordinal });
      if (FIRST_WORD_ONLY.has(name.kind)) return;
      for (const start of wordStarts(spelling).slice(1)) {
        addKey(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
      const withoutArticle = spelling.replace(ARTICLE, '');
      if (quality === QUALITY.main && withoutArticle !== spelling) {
        addKey(keys, withoutArticle, { flags: (QUALITY.alternate << POSTING.qualityShift) | writing, ordinal });
      }
    });
  });
  if (country === 'JP') addKanaKeys(keys, names);
  return keys;
}

/** People leave out the space of a postcode: "sw1a1aa". */
function spellingsOf({ value, kind }: PlaceName): string[] {
  if (kind !== 'postcode') return listSpellings(value);
  const folded = fold(value);
  return folded === '' ? [] : [...new Set([folded, folded.replaceAll(' ', '')])];
}

/** Adds kana readings of the main name and of its forms with long vowels (ō), as main names. */
function addKanaKeys(keys: Map<string, KeyOrigin>, names: readonly PlaceName[]): void {
  const main = fold(names[0]?.value ?? '');
  names.slice(0, MAX_NAMES).forEach(({ value }, ordinal) => {
    if (fold(value) !== main) return;
    for (const reading of kanaReadings(value)) addKey(keys, fold(reading), { flags: NOT_AS_WRITTEN, ordinal });
  });
}

function writingFlags(name: string, spelling: string): number {
  return foldExceptMarks(name) === spelling ? POSTING.lacksMarkedName : POSTING.lacksPlainName;
}

/** Of two origins of a key, keeps the better. Equal origins keep the flags they share. */
function addKey(keys: Map<string, KeyOrigin>, key: string, candidate: KeyOrigin): void {
  const existing = keys.get(key);
  if (existing === undefined) keys.set(key, candidate);
  else if (originRank(candidate) < originRank(existing)) Object.assign(existing, candidate);
  else if (originRank(candidate) === originRank(existing)) existing.flags &= candidate.flags;
}

/** Lower is better: first words before later words, then by quality. */
function originRank({ flags }: KeyOrigin): number {
  return flags & (POSTING.isLaterWord | POSTING.qualityMask);
}
