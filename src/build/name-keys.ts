/** The keys a place is found by: every word start of every spelling of every name, each once. */

import { POSTING } from '../index-file/posting.ts';
import type { NameKind, PlaceName } from '../place/place.ts';
import { spellingsOf } from '../text/spellings.ts';
import { wordStarts } from '../text/word-starts.ts';
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
    spellingsOf(name.value).forEach((spelling, variant) => {
      const flags = quality | (variant > 0 ? POSTING.isRespelt : 0);
      offer(keys, spelling, { flags, ordinal });
      if (name.kind === 'romanized' || name.kind === 'code') return;
      for (const start of wordStarts(spelling).slice(1)) {
        offer(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
    });
  });
  return keys;
}

function offer(keys: Map<string, NameKey>, key: string, candidate: NameKey): void {
  const known = keys.get(key);
  if (known === undefined) keys.set(key, candidate);
  else if (candidate.flags < known.flags) Object.assign(known, candidate);
}
