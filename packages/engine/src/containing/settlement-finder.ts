/**
 * Finds the settlement that a point most plausibly lies in. A settlement is taken to be a disc
 * whose area grows with its population. If discs contain the point, the one whose centre is
 * nearest in relation to its radius wins, so a village within the disc of a city keeps its centre.
 * Otherwise the disc with the nearest edge wins, in relation to its size. Suburban areas and
 * airports are parts of their city.
 */

import { lowerBound } from '../collections/sorting.ts';
import type { Index } from '../index-file/layout.ts';
import { readLatE7, readLngE7 } from '../index-file/packed-record.ts';
import type { SpatialIndex } from '../nearest.ts';
import type { PlaceRecords } from '../page/place-records.ts';
import { SUBURBAN_AREA } from '../place/place.ts';
import { distanceMeters, type LatLng, METERS_PER_DEGREE } from '../place/sphere.ts';
import { createFilter, type PlaceFilter } from '../rank/place-filter.ts';
import type { WorkBudget } from '../work-budget.ts';
import { fitInDisc, LargePlaces, listRadii, MIN_LARGE_RADIUS_METERS, reachMeters } from './discs.ts';

/** A suburban area counts as a settlement of its own, with a disc of this radius. */
const SUBURB_CENTER_METERS = 300;
/** An airport counts as a part of its city, with a disc of this radius. */
const AIRPORT_METERS = 2500;
const AIRPORT_DEGREES = AIRPORT_METERS / METERS_PER_DEGREE;

export interface Settlement {
  readonly place: number;
  readonly meters: number;
  /** The lower the better: see `fitInDisc`. */
  readonly fit: number;
}

export interface FindOptions {
  /** Id of the only country to consider; undefined for all. */
  readonly country: number | undefined;
  readonly filter: PlaceFilter;
  /** All places that may pass the filter, if they are few. */
  readonly places: Uint32Array | undefined;
  /** Units of work for a place that the tree offers. */
  readonly workPerPlace: number;
  /** Whether a suburban area counts as a settlement, instead of as a part of its city. */
  readonly countsSuburbs: boolean;
}

export interface FinderSources {
  readonly records: PlaceRecords;
  readonly spatial: SpatialIndex;
  readonly work: WorkBudget;
}

interface Airport extends LatLng {
  /** The city that the airport is in. */
  readonly place: number;
}

export class SettlementFinder {
  readonly #index: Index;
  readonly #records: PlaceRecords;
  readonly #spatial: SpatialIndex;
  readonly #work: WorkBudget;
  /** By place, in metres. */
  readonly #radii: Uint16Array;
  readonly #maxRadiusMeters: number;
  readonly #largePlaces: LargePlaces;
  /** From south to north. */
  readonly #airports: readonly Airport[];

  #filter: PlaceFilter;
  #countsSuburbs = false;
  #workPerPlace = 1;
  #place = -1;
  #fit = Number.POSITIVE_INFINITY;

  constructor(index: Index, { records, spatial, work }: FinderSources) {
    this.#index = index;
    this.#records = records;
    this.#spatial = spatial;
    this.#filter = createFilter(index, {});
    this.#work = work;
    this.#radii = listRadii(index);
    this.#maxRadiusMeters = this.#radii.reduce((max, radius) => Math.max(max, radius), 0);
    this.#largePlaces = new LargePlaces(index, this.#radii);
    this.#airports = listAirports(index);
  }

  find(at: LatLng, { country, filter, places, workPerPlace, countsSuburbs }: FindOptions): Settlement | undefined {
    this.#filter = filter;
    this.#countsSuburbs = countsSuburbs;
    this.#workPerPlace = workPerPlace;
    this.#place = -1;
    this.#fit = Number.POSITIVE_INFINITY;
    this.#offerAirports(at);
    if (places !== undefined) {
      for (const place of places) this.#offer(place, this.#metersTo(place, at));
    } else if (country === undefined) {
      this.#searchTree(at, this.#maxRadiusMeters);
    } else {
      // large places are searched first, because one of them limits the search in the tree
      this.#largePlaces.visit(at, country, (place, meters) => {
        this.#offer(place, meters);
        return this.#fit;
      });
      this.#searchTree(at, MIN_LARGE_RADIUS_METERS); // the others have smaller discs
    }
    if (this.#place < 0) return undefined;
    const meters = this.#metersTo(this.#place, at);
    return { place: this.#place, meters, fit: this.#fit };
  }

  isInDisc(place: number, meters: number): boolean {
    return meters < this.#radii[place]!;
  }

  /** Distance from the edge of the place's disc; 0 if the place contains the point. */
  metersOutside({ place, meters, fit }: Settlement): number {
    return fit < 0 ? 0 : meters - this.#radii[place]!;
  }

  #offerAirports({ lat, lng }: LatLng): void {
    const airports = this.#airports;
    const first = lowerBound(airports.length, (i) => airports[i]!.lat < lat - AIRPORT_DEGREES);
    for (let i = first; i < airports.length; i++) {
      const airport = airports[i]!;
      if (airport.lat > lat + AIRPORT_DEGREES) return;
      const meters = distanceMeters(lat, lng, airport.lat, airport.lng);
      if (meters < AIRPORT_METERS && this.#filter.accepts(airport.place)) {
        this.#keepBetter(airport.place, fitInDisc(meters, AIRPORT_METERS));
      }
    }
  }

  /** Offers the places with radii up to the maximum that may fit better than the best so far. */
  #searchTree({ lat, lng }: LatLng, maxRadiusMeters: number): void {
    this.#spatial.withinShrinking(lat, lng, reachMeters(this.#fit, maxRadiusMeters), (place, meters) => {
      if (!this.#work.spend(this.#workPerPlace)) return -1;
      this.#offer(place, meters);
      return reachMeters(this.#fit, maxRadiusMeters);
    });
  }

  /**
   * Keeps the place, or the city of a suburban area, if it fits better than the best one so far.
   */
  #offer(place: number, meters: number): void {
    const fit = fitInDisc(meters, this.#radii[place]!);
    if (fit > this.#fit || !this.#filter.accepts(place)) return;
    if (this.#countsSuburbs || this.#index.placeType[place] !== SUBURBAN_AREA) this.#keepBetter(place, fit);
    else this.#offerSuburb(place, meters, fit);
  }

  #offerSuburb(suburb: number, meters: number, fit: number): void {
    if (meters < SUBURB_CENTER_METERS) {
      this.#keepBetter(suburb, fitInDisc(meters, SUBURB_CENTER_METERS));
      return;
    }
    const city = this.#records.cityOf(suburb);
    if (city !== undefined && this.#filter.accepts(city)) this.#keepBetter(city, fit);
    else this.#keepBetter(suburb, city === undefined ? Math.max(0, fit) : fit); // a settlement that contains the point is better
  }

  /** Among equal ones, keeps the more important place, which has the lower id. */
  #keepBetter(place: number, fit: number): void {
    if (fit > this.#fit || (fit === this.#fit && place > this.#place)) return;
    this.#place = place;
    this.#fit = fit;
  }

  #metersTo(place: number, { lat, lng }: LatLng): number {
    return distanceMeters(lat, lng, readLatE7(this.#index, place) / 1e7, readLngE7(this.#index, place) / 1e7);
  }
}

function listAirports({ airportPlace, airportE7 }: Index): Airport[] {
  return Array.from(airportPlace, (place, i) => {
    return { place, lat: airportE7[2 * i]! / 1e7, lng: airportE7[2 * i + 1]! / 1e7 };
  }).sort((a, b) => a.lat - b.lat);
}
