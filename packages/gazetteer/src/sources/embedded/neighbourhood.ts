/** What the places around a new one tell about it: its time zone, and whether it is part of a city. */

import { MIN_CITY_POPULATION } from 'toponym-engine/place/place';
import { MAX_RADIUS_METERS, settlementRadiusMeters } from 'toponym-engine/place/settlement-radius';
import type { LatLng } from 'toponym-engine/place/sphere';
import type { DivisionKeys } from '../regions/known-divisions.ts';
import { minBy, PointGrid } from './point-grid.ts';

export interface Settlement extends Surroundings {
  /** 0 if unknown. */
  readonly population: number;
  readonly timezone: string;
}

interface Surroundings extends LatLng {
  readonly country: string;
  readonly divisions: DivisionKeys;
}

/** A place this close to the centre, in radii, is part of the city even if it is in another second-level division. */
const CORE = 0.5;
/** Radii of the search for a neighbour. */
const NEIGHBOUR_METERS = [4000, 20_000, 100_000, 500_000] as const;

export class Neighbourhood {
  readonly #places: PointGrid<Settlement>;
  readonly #cities: PointGrid<Settlement>;
  /** By first-level division. */
  readonly #largest = new Map<string, number>();
  /** By first-level division, and by country. */
  readonly #timezones = new Map<string, Set<string>>();

  constructor(places: readonly Settlement[]) {
    this.#places = new PointGrid(places);
    this.#cities = new PointGrid(
      places.filter(({ population }) => population >= MIN_CITY_POPULATION),
      1, // because they are few, and far from their suburbs
    );
    for (const { country, divisions, population, timezone } of places) {
      const { admin1 } = divisions;
      if (admin1 !== undefined) this.#largest.set(admin1, Math.max(population, this.largestPopulation(admin1)));
      if (timezone === '') continue;
      for (const region of [admin1, country]) {
        if (region === undefined) continue;
        const timezones = this.#timezones.get(region);
        if (timezones === undefined) this.#timezones.set(region, new Set([timezone]));
        else timezones.add(timezone);
      }
    }
  }

  /** The only one of the division or country, else that of the nearest place of the division or, if none is near, country. */
  timezone(city: Surroundings): string | undefined {
    for (const region of [city.divisions.admin1, city.country]) {
      const [only, ...others] = this.#timezones.get(region ?? '') ?? [];
      if (only !== undefined && others.length === 0) return only;
    }
    if (!this.#timezones.has(city.country)) return undefined; // so no neighbour has one
    for (const maxMeters of NEIGHBOUR_METERS) {
      const near = this.#places.near(city, maxMeters);
      const inCountry = near.filter(({ item }) => item.country === city.country && item.timezone !== '');
      const inDivision = inCountry.filter(({ item }) => item.divisions.admin1 === city.divisions.admin1);
      const neighbour = minBy(inDivision.length > 0 ? inDivision : inCountry, ({ meters }) => meters);
      if (neighbour !== undefined) return neighbour.item.timezone;
    }
    return undefined;
  }

  /** Whether the point lies in the disc of a city of the same country and, outside its core, the same division. */
  isInCity(point: Surroundings): boolean {
    const { admin1, admin2 } = point.divisions;
    return this.#cities.near(point, MAX_RADIUS_METERS).some(({ item: city, meters }) => {
      if (city.country !== point.country) return false;
      const radii = meters / settlementRadiusMeters('city', city.population);
      const { divisions } = city;
      const isSameDivision = divisions.admin2 === undefined ? divisions.admin1 === admin1 : divisions.admin2 === admin2;
      return radii <= (isSameDivision ? 1 : CORE);
    });
  }

  /** Of the largest place of a first-level division, 0 if none is known. */
  largestPopulation(admin1: string | undefined): number {
    return this.#largest.get(admin1 ?? '') ?? 0;
  }
}
