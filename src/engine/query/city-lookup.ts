/** Looks up the areas of cities: circles that hold the population at a usual density. */
import type { Index } from '../../index-file/layout.ts';
import { readPopulation } from '../../index-file/packed-record.ts';
import { POSTING } from '../../index-file/posting.ts';
import type { Circle } from '../../place/sphere.ts';
import { isUncommonAlias } from '../rank/uncommon-alias.ts';
import type { KeyTrie } from '../trie/key-trie.ts';
import type { WorkBudget } from '../work-budget.ts';

/** Minimum length of a city's name: two letters are mostly a region code or an unfinished word. */
const MIN_LENGTH = 3;
/** Smaller cities have no suburbs that people name together with them. */
const MIN_POPULATION = 100_000;
/** Inhabitants per square kilometre of a large city. */
const DENSITY = 4000;
const MIN_RADIUS_METERS = 5000;
/** One name may mean several cities: London in England, London in Ontario. */
const MAX_CITIES = 3;
/** A large city is among the most important places with its name. */
const MAX_PLACES_READ = 16;

export class CityLookup {
  private readonly index: Index;
  private readonly keys: KeyTrie;
  private readonly work: WorkBudget;

  constructor(index: Index, keys: KeyTrie, work: WorkBudget) {
    this.index = index;
    this.keys = keys;
    this.work = work;
  }

  /** The areas of the most important cities with exactly this name. */
  named(text: string): Circle[] {
    const { index, keys } = this;
    if (text.length < MIN_LENGTH || !keys.find(text)) return []; // `find` sets `lo` and `exactEnd`
    const circles: Circle[] = [];
    // the postings of the key that equals the text are in importance order
    const end = Math.min(keys.exactEnd, keys.lo + MAX_PLACES_READ);
    for (let position = keys.lo; position < end && circles.length < MAX_CITIES; position++) {
      if (!this.work.spend(1)) break;
      const posting = index.postings[position]!;
      const place = posting & POSTING.placeMask;
      const population = readPopulation(index, place);
      const startsAtLaterWord = ((posting >>> POSTING.flagShift) & POSTING.isLaterWord) !== 0;
      if (population < MIN_POPULATION || startsAtLaterWord) continue;
      if (text.length === MIN_LENGTH && isUncommonAlias(index, place, position, text)) continue;
      circles.push({
        lat: index.placeLatE7[place]! / 1e7,
        lng: index.placeLngE7[place]! / 1e7,
        radiusMeters: Math.max(MIN_RADIUS_METERS, 1000 * Math.sqrt(population / (Math.PI * DENSITY))),
      });
    }
    return circles;
  }
}
