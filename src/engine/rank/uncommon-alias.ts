/**
 * Tells whether a few letters are an alias that hardly anyone types: in no main language of the
 * place's country and in none with well-known names for foreign cities. "Parī" is Maori for Paris.
 */
import type { Index } from '../../index-file/layout.ts';
import { readMainNameOffset } from '../../index-file/packed-record.ts';
import { isMainName, POSTING } from '../../index-file/posting.ts';
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
  const name = nameOfPosting(index, place, position);
  const kind = NAME_KINDS[index.nameKind[name]!];
  if (kind === 'code') return text.length >= AIRPORT_CODE_LENGTH;
  if (kind === 'main') return false; // without its article: "hague"
  if (kind !== 'alternate') return true;
  const { placeNames, nameText, nameLanguage, metadata } = index;
  // a name of several languages is listed once for each
  for (let other = placeNames[place]!; other < placeNames[place + 1]!; other++) {
    if (nameText[other] !== nameText[name]) continue;
    const language = metadata.languages[nameLanguage[other]!]!;
    if (COMMON_LANGUAGES.has(language) || language === mainLanguage(index, place)) return false;
  }
  // "Biel" is the start of Biel/Bienne
  return !fold(readText(index, readMainNameOffset(index, place))).startsWith(`${text} `);
}

function nameOfPosting({ placeSlots, slotPosting, slotName, placeNames }: Index, place: number, position: number) {
  let slot = placeSlots[place]!;
  while (slotPosting[slot] !== position) slot++;
  return placeNames[place]! + slotName[slot]!;
}

function mainLanguage(index: Index, place: number): string | undefined {
  const country = readText(index, index.regionKey[index.placeCountry[place]!]!);
  return country === '' ? undefined : new Intl.Locale(`und-${country}`).maximize().language;
}
