/**
 * Creates the distinct keys of a place: each spelling of each name, from each of its word starts.
 * Romanised names, codes and postcodes are keys only from their first word.
 */
import { POSTING } from 'toponym-engine/index-file/posting';
import { type NameKind, type PlaceName, SEVERAL_LANGUAGES } from 'toponym-engine/place/place';
import { fold, foldExceptMarks } from 'toponym-engine/text/fold';
import { listSpellings } from 'toponym-engine/text/spellings';
import { wordStarts } from 'toponym-engine/text/words';
import { kanaReadings } from './kana.ts';
import { areLocalNames } from './local-names.ts';

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
  const folded = names.map(({ value }) => fold(value));
  const isLocal = areLocalNames(names, country);
  const isInUse = areInUse(names, folded);
  names.slice(0, MAX_NAMES).forEach((name, ordinal) => {
    const alternateCountsAs = isLocal[ordinal] ? 'main' : isInUse[ordinal] ? 'alternate' : 'historic';
    const countsAs = isLastMainName(name) ? 'main' : name.kind === 'alternate' ? alternateCountsAs : name.kind;
    const quality = QUALITY[countsAs];
    spellingsOf(name, folded[ordinal]!).forEach((spelling, i) => {
      const isAsWritten = i === 0;
      const writing = isAsWritten ? writingFlags(name.value, spelling) : NOT_AS_WRITTEN;
      const flags = (quality << POSTING.qualityShift) | writing;
      addKey(keys, spelling, { flags, ordinal });
      if (FIRST_WORD_ONLY.has(name.kind)) return;
      if (!spelling.includes(' ')) return;
      for (const start of wordStarts(spelling).slice(1)) {
        addKey(keys, spelling.slice(start), { flags: flags | POSTING.isLaterWord, ordinal });
      }
      const withoutArticle = spelling.replace(ARTICLE, '');
      if (quality === QUALITY.main && withoutArticle !== spelling) {
        addKey(keys, withoutArticle, { flags: (QUALITY.alternate << POSTING.qualityShift) | writing, ordinal });
      }
    });
  });
  if (country === 'JP') addKanaKeys(keys, names, folded);
  return keys;
}

/** Whether it was the main name before the place was renamed: Port Elizabeth. */
function isLastMainName({ kind, language }: PlaceName): boolean {
  return kind === 'historic' && language === SEVERAL_LANGUAGES;
}

/** People leave out the space of a postcode: "sw1a1aa". */
function spellingsOf({ value, kind }: PlaceName, folded: string): string[] {
  if (kind !== 'postcode') return listSpellings(value, folded);
  return folded === '' ? [] : [...new Set([folded, folded.replaceAll(' ', '')])];
}

/** Adds kana readings of the main name and of its forms with long vowels (ō), as main names. */
function addKanaKeys(keys: Map<string, KeyOrigin>, names: readonly PlaceName[], folded: readonly string[]): void {
  names.slice(0, MAX_NAMES).forEach(({ value }, ordinal) => {
    if (folded[ordinal] !== folded[0]) return;
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

const LATIN = /^[a-z0-9 ]+$/;
const SEVERAL = Symbol('several names');

/**
 * Finds the names in common use: those with a word that sounds like a word of the main name, or
 * with a first word that sounds like the first word of another name. Other alternate names are
 * mostly former names or nicknames: "Franklin" for Columbus. The main name, nicknames and non-Latin names always count as in use.
 */
function areInUse(names: readonly PlaceName[], folded: readonly string[]): boolean[] {
  if (names.length === 1) return [true];
  const skeletons = folded.map(phoneticSkeletons);
  /** By first skeleton, the folded name with it, or SEVERAL. */
  const nameByFirstSkeleton = new Map<string, string | typeof SEVERAL>();
  folded.forEach((text, i) => {
    if (names[i]!.kind === 'postcode') return;
    const first = skeletons[i]![0]!;
    const known = nameByFirstSkeleton.get(first) ?? text;
    nameByFirstSkeleton.set(first, known === text ? text : SEVERAL);
  });
  // all words as one, too: Killarney sounds like Cill Airne
  const mainSkeletons = [...skeletons[0]!, ...phoneticSkeletons(folded[0]!.replaceAll(' ', ''))];
  return folded.map((text, i) => {
    if (i === 0 || names[i]!.language === SEVERAL_LANGUAGES || !LATIN.test(text)) return true;
    const isLikeAnother = nameByFirstSkeleton.get(skeletons[i]![0]!) === SEVERAL;
    return isLikeAnother || skeletons[i]!.some((skeleton) => mainSkeletons.includes(skeleton));
  });
}

/** Consonants that sound alike, without h and y. The code of a group is its first letter. */
const SOUNDS = ['pbvwf', 'kcqgxj', 'sz', 'td', 'mn', 'l', 'r'];
/** By code unit of the letter. */
const CODES: string[] = [];
for (const letters of SOUNDS) for (const letter of letters) CODES[letter.charCodeAt(0)] = letters.charAt(0);
const MAX_SKELETON_LENGTH = 3;

/**
 * Phonetic skeletons of Latin words: roughly their first three consonants, alike in "Londres" and
 * "London". For a word without consonants, its first letter.
 */
function phoneticSkeletons(folded: string): string[] {
  return folded.split(' ').map((word) => {
    let skeleton = '';
    for (let i = 0; i < word.length && skeleton.length < MAX_SKELETON_LENGTH; i++) {
      const code = CODES[word.charCodeAt(i)];
      // consonants of one group in a row count once, even with vowels between them
      if (code !== undefined && !skeleton.endsWith(code)) skeleton += code;
    }
    return skeleton || word.charAt(0);
  });
}
