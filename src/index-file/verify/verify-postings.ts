/** Postings, the same by place, and the lists of the best postings of long runs. */
import { damagedSection } from '../format-error.ts';
import type { Index } from '../layout.ts';
import { POSTING } from '../posting.ts';
import { verifyAscending } from './verify-places.ts';

/** Throws IndexFormatError. */
export function verifyPostings(index: Index): void {
  const { postings, postingOf, regionPostings, regionText } = index;
  const { places } = index.head;
  for (let i = 0; i < postings.length; i++) {
    const place = postings[i]! & POSTING.placeMask;
    if (place >= places) throw damagedSection('postings', `posting ${i} names place ${place} of ${places}`);
    if (postingOf[i]! >= postings.length) throw damagedSection('postingOf', `slot ${i} leads to no posting`);
  }
  for (let i = 0; i < regionPostings.length; i++) {
    const region = regionPostings[i]!;
    if (region === 0 || region >= regionText.length) {
      throw damagedSection('regionPostings', `posting ${i} names region ${region} of ${regionText.length}`);
    }
  }
}

/** Which of a place's names a posting came from must be one that the place has. Throws IndexFormatError. */
export function verifyPostingNames({ placePostings, postingName, placeNames }: Index): void {
  verifyAscending(placePostings, 'placePostings', { end: postingName.length, least: 0 });
  let slot = 0;
  for (let place = 1; place < placePostings.length; place++) {
    const names = placeNames[place]! - placeNames[place - 1]!;
    for (const end = placePostings[place]!; slot < end; slot++) {
      if (postingName[slot]! >= names) throw damagedSection('postingName', `slot ${slot} leads to no name`);
    }
  }
}

/** Throws IndexFormatError. */
export function verifyRuns({ runLo, runHi, runStart, runTops, postings }: Index): void {
  verifyAscending(runStart, 'runStart', { end: runTops.length, least: 0 });
  for (let run = 0; run < runLo.length; run++) {
    const lo = runLo[run]!;
    const hi = runHi[run]!;
    if (lo >= hi || hi > postings.length) throw damagedSection('runHi', `run ${run} is outside the postings`);
    if (run > 0 && (runLo[run - 1]! > lo || (runLo[run - 1] === lo && runHi[run - 1]! >= hi))) {
      throw damagedSection('runLo', `run ${run} is out of order`);
    }
    let at = runStart[run]!;
    const end = runStart[run + 1]!;
    for (const most of POSTING.topSizes) {
      const length = at < end ? runTops[at++]! : most + 1;
      if (length > most || at + 2 * length > end) throw damagedSection('runTops', `a list of run ${run} is too long`);
      for (const listEnd = at + length; at < listEnd; at++) {
        const position = runTops[at + length]!;
        if (position < lo || position >= hi || postings[position] !== runTops[at]) {
          throw damagedSection('runTops', `a list of run ${run} does not fit its postings`);
        }
      }
      at += length;
    }
    if (at !== end) throw damagedSection('runTops', `the lists of run ${run} do not fill their space`);
  }
}
