/** The keys a place is found by: every word start of every spelling of every name, each once. */

import { POSTING } from '../../index-file/posting.ts';
import type { NameKind, PlaceName } from '../../place/place.ts';
import { spellingsOf } from '../../text/spellings.ts';
import { wordStarts } from '../../text/word-starts.ts';
import { supportedNames } from './name-support.ts';

export interface NameKey {
  /** Flags of the posting: see index-file/posting.ts. Lower is better. */
  flags: number;
  /** Which of the place's names the key comes from. */
  ordinal: number;
}

/** A name beyond this many of one place is not searchable: its ordinal has one byte. */
const MAX_NAMES = 256;

/** By kind; an alternate name that nothing supports counts as a historic one. */
const QUALITY: Readonly<Record<NameKind, number>> = { main: 0, alternate: 1, historic: 2, code: 2, romanized: 3 };

export function keysOf(names: readonly PlaceName[]): Map<string, NameKey> {
  const keys = new Map<string, NameKey>();
  const isSupported = supportedNames(names);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const kind = name.kind === 'alternate' && !isSupported[ordinal] ? 'historic' : name.kind;
    const quality = QUALITY[kind] << POSTING.qualityShift;
    const lower = name.value.toLowerCase();
    spellingsOf(name.value).forEach((spelling, variant) => {
      const flags = quality | writtenAs(lower, spelling, variant);
      offer(keys, spelling, { flags, ordinal });
      if (name.kind === 'romanized' || name.kind === 'code') return;
      for (const start of wordStarts(spelling).slice(1)) {
        offer(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
    });
  });
  return keys;
}

/** A spelling of ours is written nowhere; the first one is the name itself, plain or marked. */
function writtenAs(lower: string, spelling: string, variant: number): number {
  if (variant > 0) return POSTING.isNotPlain | POSTING.isNotMarked;
  return lower === spelling ? POSTING.isNotMarked : POSTING.isNotPlain;
}

/** Of two names with one key the better decides; equally good ones are both written so. */
function offer(keys: Map<string, NameKey>, key: string, candidate: NameKey): void {
  const known = keys.get(key);
  if (known === undefined) keys.set(key, candidate);
  else if (rankOf(candidate) < rankOf(known)) Object.assign(known, candidate);
  else if (rankOf(candidate) === rankOf(known)) known.flags &= candidate.flags;
}

function rankOf({ flags }: NameKey): number {
  return flags & (POSTING.isLaterWord | POSTING.qualityMask);
}
