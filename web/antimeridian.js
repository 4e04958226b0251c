/**
 * Cuts polygons that cross the antimeridian. Without the cut, an edge from 179° to -179° is drawn
 * around the whole globe. MapLibre draws edges straight in degrees, and this cut keeps them so; d3-geo
 * cuts great circles, and takes a ring in the wrong direction for the rest of the world.
 *
 * @typedef {[lng: number, lat: number]} Position
 */

/**
 * Returns the parts of a polygon on each side of the antimeridian, as polygons whose longitudes are
 * between -180 and 180. A polygon around a pole gets the pole's edge of the map as its border.
 *
 * @param {Position[][]} polygon outer ring first; every ring is closed
 * @returns {Position[][][]}
 */
export function cutAtAntimeridian(polygon) {
  if (!polygon.some(crossesAntimeridian)) return [polygon];
  const rings = polygon.map((ring) => closeOverPole(withoutJumps(ring)));
  return [-360, 0, 360]
    .map((shift) => rings.map((ring) => withinTurn(ring, shift)).filter((ring) => ring.length > 3))
    .filter((part) => part.length > 0);
}

/** @param {Position[]} ring */
function crossesAntimeridian(ring) {
  return ring.some(([lng], i) => i > 0 && Math.abs(lng - (ring[i - 1]?.[0] ?? lng)) > 180);
}

/**
 * Adds full turns to longitudes, so that neighbours are never more than 180° apart.
 *
 * @param {Position[]} ring
 * @returns {Position[]}
 */
function withoutJumps(ring) {
  let previous = ring[0]?.[0] ?? 0;
  return ring.map(([lng, lat]) => {
    previous = lng + 360 * Math.round((previous - lng) / 360);
    return [previous, lat];
  });
}

/**
 * A ring around a pole ends a full turn from its start. It is closed along the pole.
 *
 * @param {Position[]} ring
 * @returns {Position[]}
 */
function closeOverPole(ring) {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined || first[0] === last[0]) return ring;
  const pole = first[1] < 0 ? -90 : 90;
  return [...ring, [last[0], pole], [first[0], pole], first];
}

/**
 * @param {Position[]} ring
 * @param {number} shift degrees to add to longitudes
 * @returns {Position[]}
 */
function withinTurn(ring, shift) {
  const shifted = ring.map(([lng, lat]) => /** @type {Position} */ ([lng + shift, lat]));
  return clip(clip(shifted, 180, 1), -180, -1);
}

/**
 * The part of a ring with `side * lng <= side * limit` (Sutherland and Hodgman's algorithm).
 *
 * @param {Position[]} ring
 * @param {number} limit
 * @param {1 | -1} side
 * @returns {Position[]}
 */
function clip(ring, limit, side) {
  /** @type {Position[]} */
  const kept = [];
  const isInside = (/** @type {Position} */ [lng]) => side * lng <= side * limit;
  for (const [i, end] of ring.entries()) {
    const start = ring[i - 1];
    if (start !== undefined && isInside(start) !== isInside(end)) {
      const share = (limit - start[0]) / (end[0] - start[0]);
      kept.push([limit, start[1] + share * (end[1] - start[1])]);
    }
    if (isInside(end)) kept.push(end);
  }
  const [first] = kept;
  const last = kept.at(-1);
  if (first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1])) kept.push(first);
  return kept;
}
