/**
 * Tells whether a few letters are an alias that hardly anyone types: in no language with well-known
 * names for foreign cities. "Parī" is Maori for Paris. Local names are no aliases (local-names.ts).
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset } from '../../index-file/packed-record.ts';
import { findNameOrdinal, isMainName, POSTING } from '../../index-file/posting.ts';
import { readText } from '../../index-file/read-text.ts';
import { NAME_KINDS, SEVERAL_LANGUAGES } from '../../place/place.ts';
import { fold } from '../../text/fold.ts';

const COMMON_LANGUAGES = new Set('de en es fr id it nl pl pt sv tr vi'.split(' ').concat(SEVERAL_LANGUAGES));
/** Airports have codes of three letters. Shorter codes are abbreviations: "LA". */
const AIRPORT_CODE_LENGTH = 3;

/** `position` is that of a posting of the place whose key is `text`. */
export function isUncommonAlias(index: Index, place: number, position: number, text: string): boolean {
  const flags = index.postings[position]! >>> POSTING.flagShift;
  if (isMainName(flags) || (flags & POSTING.isLaterWord) !== 0) return false;
  const name = index.placeNames[place]! + findNameOrdinal(index, place, position);
  const kind = NAME_KINDS[index.nameKind[name]!];
  if (kind === 'code') return text.length >= AIRPORT_CODE_LENGTH;
  if (kind === 'main') return false; // without its article: "hague"
  if (kind !== 'alternate') return true;
  const { placeNames, nameText, nameLanguage, metadata } = index;
  // a name of several languages is listed once for each
  for (let other = placeNames[place]!; other < placeNames[place + 1]!; other++) {
    if (nameText[other] !== nameText[name]) continue;
    const language = metadata.languages[nameLanguage[other]!]!;
    if (COMMON_LANGUAGES.has(language)) return false;
  }
  // "Biel" is the start of Biel/Bienne
  return !fold(readText(index, readMainNameOffset(index, place))).startsWith(`${text} `);
}
