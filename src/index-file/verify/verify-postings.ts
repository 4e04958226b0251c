/**
 * Checks postings, postings by place, and the lists of the best postings of long ranges, which are
 * described in build/names/range-tops.ts. The functions throw IndexFormatError.
 */
import { damagedSection } from '../format-error.ts';
import type { Index } from '../layout.ts';
import { POSTING } from '../posting.ts';
import { verifyAscending } from './verify-places.ts';

export function verifyPostings(index: Index): void {
  const { postings, postingOf, regionPostings, regionText } = index;
  const { places } = index.metadata;
  for (let i = 0; i < postings.length; i++) {
    const place = postings[i]! & POSTING.placeMask;
    if (place >= places) throw damagedSection('postings', `posting ${i} refers to place ${place} of ${places}`);
    if (postingOf[i]! >= postings.length) throw damagedSection('postingOf', `slot ${i} does not refer to a posting`);
  }
  for (let i = 0; i < regionPostings.length; i++) {
    const region = regionPostings[i]!;
    if (region === 0 || region >= regionText.length) {
      throw damagedSection('regionPostings', `posting ${i} refers to region ${region} of ${regionText.length}`);
    }
  }
}

/** The name that a posting came from must be one of its place's names. */
export function verifyPostingNames({ placePostings, postingName, placeNames }: Index): void {
  verifyAscending(placePostings, 'placePostings', { end: postingName.length, minStep: 0 });
  let slot = 0;
  for (let place = 1; place < placePostings.length; place++) {
    const names = placeNames[place]! - placeNames[place - 1]!;
    for (const end = placePostings[place]!; slot < end; slot++) {
      if (postingName[slot]! >= names) throw damagedSection('postingName', `slot ${slot} does not refer to a name`);
    }
  }
}

export function verifyTopLists({ runLo, runHi, runStart, runTops, postings }: Index): void {
  verifyAscending(runStart, 'runStart', { end: runTops.length, minStep: 0 });
  for (let range = 0; range < runLo.length; range++) {
    const lo = runLo[range]!;
    const hi = runHi[range]!;
    if (lo >= hi || hi > postings.length) throw damagedSection('runHi', `range ${range} is outside the postings`);
    if (range > 0 && (runLo[range - 1]! > lo || (runLo[range - 1] === lo && runHi[range - 1]! >= hi))) {
      throw damagedSection('runLo', `range ${range} is out of order`);
    }
    let at = runStart[range]!;
    const end = runStart[range + 1]!;
    for (const maxLength of POSTING.topSizes) {
      // a list is its length, its postings, and their positions in `postings`
      const length = runTops[at]!;
      const listEnd = at + 1 + 2 * length;
      if (at >= end || length > maxLength || listEnd > end) {
        throw damagedSection('runTops', `a list of range ${range} is too long`);
      }
      for (let i = at + 1; i <= at + length; i++) {
        const position = runTops[i + length]!;
        if (position < lo || position >= hi || postings[position] !== runTops[i]) {
          throw damagedSection('runTops', `a list of range ${range} contradicts the postings`);
        }
      }
      at = listEnd;
    }
    if (at !== end) throw damagedSection('runTops', `the lists of range ${range} do not fill their space`);
  }
}
