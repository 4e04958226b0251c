/** Compares the k-d tree with brute force over all embedded places. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { buildKdTree } from 'toponym-gazetteer/build/kd-tree';
import { embeddedBytes } from '../../../test/support/embedded-engine.ts';
import { openIndex } from '../src/index-file/open-index.ts';
import { SpatialIndex } from '../src/nearest.ts';
import { distanceMeters, HALF_CIRCUMFERENCE_METERS } from '../src/place/sphere.ts';
import { createNeighbors, createRandom } from './spatial-index.ts';

/** Distances are compared, not ids: two places may be at the same distance. */
const TOLERANCE_METERS = 1;
const RADIANS = Math.PI / 180;

interface Query {
  readonly lat: number;
  readonly lng: number;
  readonly k: number;
}

interface Found {
  /** The k largest dot products so far. */
  readonly best: number[];
  /** Every point that was among the k largest, or within rounding of them, when it was read. */
  readonly candidates: number[];
  minDot: number;
}

const NOTHING_FOUND = (): Found => ({ best: [], candidates: [], minDot: -2 });

/** Nearest points by dot products in doubles, independently of the tree. */
class BruteForce {
  readonly #latE7: Int32Array;
  readonly #lngE7: Int32Array;
  readonly #xyz: Float64Array;

  constructor(latE7: Int32Array, lngE7: Int32Array) {
    this.#latE7 = latE7;
    this.#lngE7 = lngE7;
    this.#xyz = new Float64Array(latE7.length * 3);
    for (let i = 0; i < latE7.length; i++) {
      this.#xyz.set(unitVector(latE7[i]! / 1e7, lngE7[i]! / 1e7), i * 3);
    }
  }

  /** For each query its k smallest distances, ascending. */
  nearest(queries: readonly Query[]): number[][] {
    const searches = queries.map((query) => ({ ...query, xyz: unitVector(query.lat, query.lng), ...NOTHING_FOUND() }));
    // block by block, so that the points stay in the processor's cache for all queries
    for (let start = 0; start < this.#latE7.length; start += 2_048) {
      for (const search of searches) this.#searchBlock(search, start, Math.min(start + 2_048, this.#latE7.length));
    }
    return searches.map(({ lat, lng, k, candidates }) =>
      candidates
        .map((i) => this.#metersTo(lat, lng, i))
        .sort((a, b) => a - b)
        .slice(0, k),
    );
  }

  #searchBlock(
    search: Query & Found & { readonly xyz: readonly [number, number, number] },
    start: number,
    end: number,
  ) {
    const [x, y, z] = search.xyz;
    const xyz = this.#xyz;
    let { minDot } = search;
    for (let i = start, at = start * 3; i < end; i++, at += 3) {
      const dot = xyz[at]! * x + xyz[at + 1]! * y + xyz[at + 2]! * z;
      if (dot >= minDot) minDot = collectInto(search, i, dot);
    }
    search.minDot = minDot;
  }

  /** Number of points within the radius. */
  countWithin(lat: number, lng: number, radiusMeters: number): number {
    let count = 0;
    for (let i = 0; i < this.#latE7.length; i++) if (this.#metersTo(lat, lng, i) <= radiusMeters) count++;
    return count;
  }

  #metersTo(lat: number, lng: number, i: number): number {
    return distanceMeters(lat, lng, this.#latE7[i]! / 1e7, this.#lngE7[i]! / 1e7);
  }
}

/** Returns the smallest dot product that still counts. */
function collectInto({ k, best, candidates }: Query & Found, i: number, dot: number): number {
  candidates.push(i);
  let at = best.length;
  while (at > 0 && best[at - 1]! < dot) at--;
  best.splice(at, 0, dot);
  if (best.length > k) best.pop();
  // 1e-14: near 1, a dot product resolves only about a metre; haversine decides there
  return best.length === k ? best[k - 1]! - 1e-14 : -2;
}

function unitVector(lat: number, lng: number): [number, number, number] {
  const cosLat = Math.cos(lat * RADIANS);
  return [cosLat * Math.cos(lng * RADIANS), cosLat * Math.sin(lng * RADIANS), Math.sin(lat * RADIANS)];
}

describe('over all embedded places', () => {
  let latE7: Int32Array;
  let lngE7: Int32Array;
  let index: SpatialIndex;
  let brute: BruteForce;
  const points: [number, number][] = [];

  before(() => {
    const embedded = openIndex(embeddedBytes);
    latE7 = Int32Array.from(embedded.placeLatE7);
    lngE7 = Int32Array.from(embedded.placeLngE7);
    index = new SpatialIndex({ ...buildKdTree(latE7, lngE7), latE7, lngE7 });
    brute = new BruteForce(latE7, lngE7);

    const random = createRandom(20_260_101);
    points.push([90, 0], [-90, 0], [90, 123.4], [-90, -180], [0, 180], [0, -180], [-17, 179.9999], [-17, -179.9999]);
    points.push([65, 180], [65, -180], [0, -140], [-48.8767, -123.3933], [30, -40], [0, 0]);
    for (let i = 0; i < 300; i++) points.push([Math.asin(2 * random() - 1) / RADIANS, random() * 360 - 180]);
    while (points.length < 600) {
      const at = Math.floor(random() * latE7.length);
      const spread = points.length % 3 === 0 ? 0 : 0.2;
      const lat = Math.max(-90, Math.min(90, latE7[at]! / 1e7 + (random() - 0.5) * spread));
      points.push([lat, lngE7[at]! / 1e7 + (random() - 0.5) * spread]);
    }
  });

  test('the 1, 7 and 20 nearest are those of brute force at 600 points', () => {
    const into = createNeighbors(20);
    const seen = new Set<number>();
    const queries = points.map(([lat, lng], i) => ({ lat, lng, k: [1, 7, 20][i % 3]! }));
    brute.nearest(queries).forEach((expected, i) => {
      const { lat, lng, k } = queries[i]!;
      assert.equal(index.nearest(lat, lng, k, into), k);
      seen.clear();
      for (let rank = 0; rank < k; rank++) {
        const id = into.ids[rank]!;
        const meters = into.meters[rank]!;
        seen.add(id);
        assert.ok(Math.abs(meters - expected[rank]!) <= TOLERANCE_METERS, `${lat},${lng} rank ${rank}: ${meters}`);
        assert.equal(meters, distanceMeters(lat, lng, latE7[id]! / 1e7, lngE7[id]! / 1e7));
      }
      assert.equal(seen.size, k, 'no place twice');
    });
  });

  test('a radius contains exactly the places of brute force, from 100 m to 20,000 km', () => {
    const radii = [100, 1_000, 10_000, 100_000, 1_000_000, 5_000_000, 10_000_000, 19_000_000, 20_000_000];
    for (let i = 0; i < 54; i++) {
      const [lat, lng] = points[(i * 37) % points.length]!;
      const radius = radii[i % radii.length]!;
      let count = 0;
      index.within(lat, lng, radius, (id) => {
        assert.ok(distanceMeters(lat, lng, latE7[id]! / 1e7, lngE7[id]! / 1e7) <= radius);
        count++;
      });
      assert.equal(count, brute.countWithin(lat, lng, radius), `${lat},${lng} within ${radius}`);
    }
  });

  test('the whole Earth is within half its circumference', () => {
    let count = 0;
    index.within(12.3, 45.6, HALF_CIRCUMFERENCE_METERS, () => count++);
    assert.equal(count, latE7.length);
  });

  test('hundreds of neighbours are in order, and a filter only removes some', () => {
    const all = createNeighbors(2_000);
    const odd = createNeighbors(300);
    const count = index.nearest(48.8566, 2.3522, 2_000, all);
    assert.equal(count, 2_000);
    const expected = [...all.ids].filter((id) => id % 2 === 1).slice(0, 300);
    assert.equal(index.nearest(48.8566, 2.3522, 300, odd, { accept: (id) => id % 2 === 1 }), 300);
    assert.deepEqual([...odd.ids], expected);
    for (let i = 1; i < count; i++) assert.ok(all.meters[i - 1]! <= all.meters[i]!);
  });
});
