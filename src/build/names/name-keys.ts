/**
 * The distinct keys of a place: each spelling of each name, from each of its word starts. Romanised
 * names and codes are keys only from their first word. An alternate name counts as a main name if
 * it is local (local-scripts.ts), and as a historic one if it is not in use (names-in-use.ts).
 * Japanese names are also keys in kana (text/kana.ts).
 */
import { POSTING } from '../../index-file/posting.ts';
import type { NameKind, PlaceName } from '../../place/place.ts';
import { fold, foldExceptMarks } from '../../text/fold.ts';
import { kanaReadings } from '../../text/kana.ts';
import { listSpellings } from '../../text/spellings.ts';
import { wordStarts } from '../../text/word-starts.ts';
import { areLocalNames } from './local-scripts.ts';
import { areInUse } from './names-in-use.ts';

/** The name that a key comes from, and how. */
interface KeyOrigin {
  /** Flags of the posting: see index-file/posting.ts. */
  flags: number;
  /** Index of the name among the place's names. */
  ordinal: number;
}

/** Maximum searchable names per place: the index stores an ordinal in one byte. */
const MAX_NAMES = 256;

/** Quality of a name by its kind: see `POSTING.qualityShift`. */
const QUALITY: Readonly<Record<NameKind, number>> = { main: 0, alternate: 1, romanized: 2, historic: 3, code: 3 };
/** An article before at least three letters. People leave it out: "vegas", "havre", "coruna". */
const ARTICLE = /^(?:a|al|as|de|den|el|het|il|l|la|las|le|les|lo|los|o|os|the) (?=.{3})/;
/** Flags of spellings other than the name as written. */
const NOT_AS_WRITTEN = POSTING.lacksPlainName | POSTING.lacksMarkedName;

/** The keys of the names of a place in this country (ISO 3166-1 alpha-2), and their origins. */
export function createKeys(names: readonly PlaceName[], country: string): Map<string, KeyOrigin> {
  const keys = new Map<string, KeyOrigin>();
  const isLocal = areLocalNames(names, country);
  const isInUse = areInUse(names);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const alternateCountsAs = isLocal[ordinal] ? 'main' : isInUse[ordinal] ? 'alternate' : 'historic';
    const quality = QUALITY[name.kind === 'alternate' ? alternateCountsAs : name.kind];
    listSpellings(name.value).forEach((spelling, i) => {
      const isAsWritten = i === 0; // the first spelling is the folded name
      const writing = isAsWritten ? writingFlags(name.value, spelling) : NOT_AS_WRITTEN;
      const flags = (quality << POSTING.qualityShift) | writing;
      addKey(keys, spelling, { flags, ordinal });
      if (name.kind === 'romanized' || name.kind === 'code') return;
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

/** Adds, as main names, the main name and its forms with long vowels (ō), written in kana. */
function addKanaKeys(keys: Map<string, KeyOrigin>, names: readonly PlaceName[]): void {
  const main = fold(names[0]?.value ?? '');
  names.slice(0, MAX_NAMES).forEach(({ value }, ordinal) => {
    if (fold(value) !== main) return;
    for (const reading of kanaReadings(value)) addKey(keys, fold(reading), { flags: NOT_AS_WRITTEN, ordinal });
  });
}

/** Whether a name is plain or marked, as flags: see `foldExceptMarks`. */
function writingFlags(name: string, spelling: string): number {
  return foldExceptMarks(name) === spelling ? POSTING.lacksMarkedName : POSTING.lacksPlainName;
}

/** Of two names with one key, keeps the better; of equals, the first with their common flags. */
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
