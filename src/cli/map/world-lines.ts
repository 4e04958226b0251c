/** Land, borders, lakes and rivers of Natural Earth: the map's data of the page at `/`, decoded. */
import { readWorldMap } from '../../serve/page-files.ts';
import type { Position } from './projection.ts';

export type Line = readonly Position[];

export interface WorldLines {
  /** Closed rings. No edge crosses the antimeridian. */
  readonly land: readonly Line[];
  readonly lakes: readonly Line[];
  readonly borders: readonly Line[];
  readonly rivers: readonly Line[];
}

interface Topology {
  readonly transform: { readonly scale: Position; readonly translate: Position };
  readonly objects: Readonly<Record<keyof WorldLines, Shape>>;
  readonly arcs: readonly (readonly Position[])[];
}

/** A geometry of TopoJSON; its arcs are nested as deep as its type says. */
interface Shape {
  readonly geometries?: readonly Shape[];
  readonly arcs?: NestedArcs;
}

type NestedArcs = readonly (number | NestedArcs)[];

/** Undefined if the page has not been built. */
export function loadWorldLines(): WorldLines | undefined {
  const json = readWorldMap();
  return json === undefined ? undefined : decodeTopology(JSON.parse(json) as Topology);
}

function decodeTopology({ transform, objects, arcs }: Topology): WorldLines {
  const { scale, translate } = transform;
  const decoded = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([dx, dy]): Position => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
  const lineOf = (indexes: readonly number[]): Line =>
    indexes.flatMap((index, i) => {
      const arc = index < 0 ? (decoded[~index] ?? []).toReversed() : (decoded[index] ?? []);
      return i === 0 ? arc : arc.slice(1); // arcs share their end points
    });
  const linesOf = (shape: Shape) => arcLists(shape).map(lineOf);
  return {
    land: linesOf(objects.land),
    lakes: linesOf(objects.lakes),
    borders: linesOf(objects.borders),
    rivers: linesOf(objects.rivers),
  };
}

/** The rings and lines of a shape, as lists of indexes of arcs. */
function arcLists({ geometries = [], arcs = [] }: Shape): number[][] {
  return [...geometries.flatMap(arcLists), ...flatLists(arcs)];
}

function flatLists(arcs: NestedArcs): number[][] {
  const own = arcs.filter((item) => typeof item === 'number');
  const nested = arcs.filter((item) => typeof item !== 'number').flatMap(flatLists);
  return own.length > 0 ? [own, ...nested] : nested;
}
