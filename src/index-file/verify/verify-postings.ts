/** Checks postings, slots and the lists of top places. The functions throw IndexFormatError. */
import { damagedSection } from '../format-error.ts';
import type { Index } from '../layout.ts';
import { POSTING } from '../posting.ts';
import { verifyAscending } from './verify-places.ts';

export function verifyPostings(index: Index): void {
  const { postings, slotPosting, regionPostings, regionText } = index;
  const { places } = index.metadata;
  for (let i = 0; i < postings.length; i++) {
    const place = postings[i]! & POSTING.placeMask;
    if (place >= places) throw damagedSection('postings', `posting ${i} refers to place ${place} of ${places}`);
    // `verifySizes` has checked that there are as many slots as postings
    if (slotPosting[i]! >= postings.length)
      throw damagedSection('slotPosting', `slot ${i} does not refer to a posting`);
  }
  for (let i = 0; i < regionPostings.length; i++) {
    const region = regionPostings[i]!;
    if (region === 0 || region >= regionText.length) {
      throw damagedSection('regionPostings', `posting ${i} refers to region ${region} of ${regionText.length}`);
    }
  }
}

export function verifySlotNames({ metadata, placeSlots, slotName, placeNames }: Index): void {
  verifyAscending(placeSlots, 'placeSlots', { end: slotName.length, minStep: 0 });
  for (let place = 0; place < metadata.places; place++) {
    const nameCount = placeNames[place + 1]! - placeNames[place]!;
    for (let slot = placeSlots[place]!; slot < placeSlots[place + 1]!; slot++) {
      if (slotName[slot]! >= nameCount) throw damagedSection('slotName', `slot ${slot} does not refer to a name`);
    }
  }
}

export function verifyTopLists({ rangeStart, rangeEnd, rangeTopsStart, rangeTops, postings }: Index): void {
  verifyAscending(rangeTopsStart, 'rangeTopsStart', { end: rangeTops.length, minStep: 0 });
  for (let range = 0; range < rangeStart.length; range++) {
    const lo = rangeStart[range]!;
    const hi = rangeEnd[range]!;
    if (lo >= hi || hi > postings.length) throw damagedSection('rangeEnd', `range ${range} is outside the postings`);
    const isInOrder =
      range === 0 || rangeStart[range - 1]! < lo || (rangeStart[range - 1] === lo && rangeEnd[range - 1]! < hi);
    if (!isInOrder) throw damagedSection('rangeStart', `range ${range} is out of order`);
    let at = rangeTopsStart[range]!;
    const end = rangeTopsStart[range + 1]!;
    // a list is its length, then postings, then their positions
    for (const maxLength of POSTING.topSizes) {
      const length = rangeTops[at]!;
      const listEnd = at + 1 + 2 * length;
      if (at >= end || length > maxLength || listEnd > end) {
        throw damagedSection('rangeTops', `a list of range ${range} is too long`);
      }
      for (let i = at + 1; i <= at + length; i++) {
        const position = rangeTops[i + length]!;
        if (position < lo || position >= hi || postings[position] !== rangeTops[i]) {
          throw damagedSection('rangeTops', `a list of range ${range} contradicts the postings`);
        }
      }
      at = listEnd;
    }
    if (at !== end) throw damagedSection('rangeTops', `the lists of range ${range} do not fill their space`);
  }
}
