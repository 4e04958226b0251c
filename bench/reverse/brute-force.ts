/** Nearest places by measuring all of them; the reference for the other engines. */
import { distanceMeters, type LatLng } from 'toponym-engine/place/sphere';
import type { BenchPlace } from '../places.ts';

/**
 * Distances that differ by less count as equal: coordinates are stored to a centimetre, and Redis
 * rounds them to about half a metre.
 */
const TOLERANCE_METERS = 1;

export class BruteForce {
  private readonly places: readonly BenchPlace[];
  private readonly vectors: Float64Array;
  private readonly byId: ReadonlyMap<string, BenchPlace>;

  constructor(places: readonly BenchPlace[]) {
    this.places = places;
    this.byId = new Map(places.map((place) => [place.id, place]));
    this.vectors = new Float64Array(places.length * 3);
    places.forEach((place, i) => {
      this.vectors.set(unitVector(place), i * 3);
    });
  }

  /** Distances of the k nearest places. Chord lengths sort like distances on the sphere. */
  nearestMeters(at: LatLng, k: number): number[] {
    const [x, y, z] = unitVector(at);
    const { vectors } = this;
    const best: { position: number; chord: number }[] = [];
    let worst = Number.POSITIVE_INFINITY;
    for (let position = 0, i = 0; i < vectors.length; position++, i += 3) {
      const chord = (vectors[i]! - x) ** 2 + (vectors[i + 1]! - y) ** 2 + (vectors[i + 2]! - z) ** 2;
      if (chord >= worst) continue;
      best.push({ position, chord });
      best.sort((a, b) => a.chord - b.chord);
      if (best.length > k) best.pop();
      if (best.length === k) worst = best[k - 1]!.chord;
    }
    return best.map(({ position }) => metersTo(at, this.places[position]!));
  }

  /** Whether each place is as near as the true place of the same rank. */
  isCorrect(at: LatLng, ids: readonly string[], truth: readonly number[]): boolean {
    if (ids.length !== truth.length) return false;
    return truth.every((meters, rank) => {
      const place = this.byId.get(ids[rank]!);
      return place !== undefined && Math.abs(metersTo(at, place) - meters) <= TOLERANCE_METERS;
    });
  }
}

function metersTo(at: LatLng, { lat, lng }: LatLng): number {
  return distanceMeters(at.lat, at.lng, lat, lng);
}

function unitVector({ lat, lng }: LatLng): [number, number, number] {
  const radians = Math.PI / 180;
  const cos = Math.cos(lat * radians);
  return [cos * Math.cos(lng * radians), cos * Math.sin(lng * radians), Math.sin(lat * radians)];
}
