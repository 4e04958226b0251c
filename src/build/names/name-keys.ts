/** The distinct keys of a place: each word start of each spelling of each name. */
import { POSTING } from '../../index-file/posting.ts';
import type { NameKind, PlaceName } from '../../place/place.ts';
import { listSpellings } from '../../text/spellings.ts';
import { wordStarts } from '../../text/word-starts.ts';
import { areInUse } from './names-in-use.ts';

export interface NameKey {
  /** Flags of the posting (see index-file/posting.ts); lower is better. */
  flags: number;
  /** Index of the name among the place's names. */
  ordinal: number;
}

/** Maximum searchable names per place: an ordinal has one byte. */
const MAX_NAMES = 256;

/** Quality by kind; an alternate name that is not in common use counts as historic. */
const QUALITY: Readonly<Record<NameKind, number>> = { main: 0, alternate: 1, historic: 2, code: 2, romanized: 3 };

export function createKeys(names: readonly PlaceName[]): Map<string, NameKey> {
  const keys = new Map<string, NameKey>();
  const isInUse = areInUse(names);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const kind = name.kind === 'alternate' && !isInUse[ordinal] ? 'historic' : name.kind;
    const quality = QUALITY[kind] << POSTING.qualityShift;
    const lower = name.value.toLowerCase();
    listSpellings(name.value).forEach((spelling, variant) => {
      const flags = quality | writingFlags(lower, spelling, variant);
      addKey(keys, spelling, { flags, ordinal });
      if (name.kind === 'romanized' || name.kind === 'code') return;
      for (const start of wordStarts(spelling).slice(1)) {
        addKey(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
    });
  });
  return keys;
}

/** Only the first spelling (variant 0) is the name as written, either plain or with marks. */
function writingFlags(lower: string, spelling: string, variant: number): number {
  if (variant > 0) return POSTING.isNotPlain | POSTING.isNotMarked;
  return lower === spelling ? POSTING.isNotMarked : POSTING.isNotPlain;
}

/** Keeps the better of two names with the same key; equally good names combine their flags. */
function addKey(keys: Map<string, NameKey>, key: string, candidate: NameKey): void {
  const known = keys.get(key);
  if (known === undefined) keys.set(key, candidate);
  else if (matchRank(candidate) < matchRank(known)) Object.assign(known, candidate);
  else if (matchRank(candidate) === matchRank(known)) known.flags &= candidate.flags;
}

function matchRank({ flags }: NameKey): number {
  return flags & (POSTING.isLaterWord | POSTING.qualityMask);
}
