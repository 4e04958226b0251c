/** Finds the country at a point by simplified world borders, accurate to about a kilometre. */
import { type LatLng, METERS_PER_DEGREE } from './sphere.ts';

export interface WorldBorders {
  /** ISO 3166-1 alpha-2 code. Most points at sea are in no country. */
  countryAt(lat: number, lng: number): string | undefined;
  /**
   * The countries on both sides of a border that is so near that, being simplified, it may be on the
   * wrong side of the point, with the distance from it. Mostly none. May repeat countries.
   */
  countriesWithinError(lat: number, lng: number): readonly NearCountry[];
  /** Whether a part of the country is in a box around the point. `degrees` is half its width. */
  isNear(country: string, lat: number, lng: number, degrees?: number): boolean;
}

interface NearCountry {
  readonly country: string | undefined;
  readonly meters: number;
}

/** What is used of the package country-coder. Its own types need another package. */
export interface CountryCoder {
  readonly borders: { readonly features: readonly unknown[] };
  featuresContaining(areaId: string): readonly { readonly properties: AreaCodes }[];
}

interface AreaCodes {
  readonly iso1A2?: string | undefined;
  readonly isoStatus?: string | undefined;
}

/** About the error of the borders. */
const NEAR_DEGREES = 0.02;
/** With 4 cells per degree, the cells take 2 MB, and a border crosses the cell of one place in 4. */
const CELLS_PER_DEGREE = 4;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
/** Value of a cell in which no point has been searched yet. */
const UNKNOWN = 0xfffe;
/** Value of a cell that a border may cross. */
const CROSSED = 0xfffd;
/** Northern Cyprus has no code of its own. Gazetteers put its places into Cyprus. */
const CODE_BY_AREA: Readonly<Record<string, string>> = { Q23681: 'CY' };

/** The borders as plain data, which threads can share. Takes 9 MB. */
export interface BorderTables {
  /** By area: the code of its country. */
  readonly codes: readonly (string | undefined)[];
  /** By area: the codes of all countries that it belongs to. Réunion is a part of France. */
  readonly allCodes: readonly (readonly string[])[];
  /** By row, then by column: the area of all points of the cell. */
  readonly cells: Uint16Array;
  /** By strip: where its edges start. */
  readonly starts: Uint32Array;
  /**
   * Longitude and latitude of the eastern and of the western end of each edge. An edge is in every
   * strip that it touches. In a strip, the edges with the easternmost ends come first.
   */
  readonly ends: Float64Array;
  /** The area of each edge. */
  readonly areas: Uint16Array;
}

export function createWorldBorders(coder: CountryCoder): WorldBorders {
  return openWorldBorders(createBorderTables(coder));
}

/** Takes 0.2 s, and about 35 MB for the package, which cannot be unloaded. */
export function createBorderTables(coder: CountryCoder): BorderTables {
  const areas = (coder.borders.features as readonly Area[]).filter(({ geometry }) => geometry !== null);
  const codes = areas.map(({ properties }) => officialCode(coder, properties.id)); // undefined for NO_AREA
  const allCodes = areas.map(({ properties: { id } }, i) => {
    const others = coder.featuresContaining(id).map(({ properties }) => properties.iso1A2);
    return [...new Set([codes[i], ...others])].filter((code) => code !== undefined);
  });
  const edges = listEdges(areas);
  return { codes, allCodes, cells: createCells(edges), ...createStrips(edges) };
}

export function openWorldBorders(tables: BorderTables): WorldBorders {
  const { codes, allCodes, cells } = tables;
  const strips = new BorderStrips(tables);
  /** The area around a point. All points of a cell without borders are in the same area. */
  const areaAt = (lat: number, lng: number): number => {
    const cell = cellAt(lat, lng);
    const known = cells[cell]!;
    if (known !== UNKNOWN && known !== CROSSED) return known;
    const area = strips.areaAt(lat, lng);
    if (known === UNKNOWN) cells[cell] = area; // other threads would write the same
    return area;
  };
  return {
    countryAt(lat, lng) {
      // the eastern edge of a country is not in it, so 180 would be in none
      const country = codes[areaAt(lat, lng === 180 ? -180 : lng)];
      if (country !== undefined || Math.abs(lng) < 180 - NEAR_DEGREES) return country;
      return codes[areaAt(lat, 180 - NEAR_DEGREES)]; // Russia has a gap east of the antimeridian
    },
    countriesWithinError(lat, lng) {
      if (cells[cellAt(lat, lng)] !== CROSSED) return [];
      return strips.areasWithinError(lat, lng).map(({ area, meters }) => ({ country: codes[area], meters }));
    },
    isNear(country, lat, lng, degrees = NEAR_DEGREES) {
      const isPart = (area: number) => allCodes[area]?.includes(country) ?? false;
      return isPart(areaAt(lat, lng)) || strips.hasEdgeIn({ lat, lng, degrees }, isPart);
    },
  };
}

function createCells(edges: readonly Edge[]): Uint16Array {
  const cells = new Uint16Array(ROWS * COLUMNS).fill(UNKNOWN);
  for (const { east, west } of edges) {
    const lastRow = rowAt(Math.max(east[1], west[1]));
    for (let row = rowAt(Math.min(east[1], west[1])); row <= lastRow; row++) {
      cells.fill(CROSSED, row * COLUMNS + columnAt(west[0]), row * COLUMNS + columnAt(east[0]) + 1);
    }
  }
  return cells;
}

function cellAt(lat: number, lng: number): number {
  return rowAt(lat) * COLUMNS + columnAt(lng);
}

function rowAt(lat: number): number {
  return Math.min(ROWS - 1, Math.floor((lat + 90) * CELLS_PER_DEGREE));
}

function columnAt(lng: number): number {
  return Math.min(COLUMNS - 1, Math.floor((lng + 180) * CELLS_PER_DEGREE));
}

/** The code of an area, or of the smallest group of areas around it that has an official code. */
function officialCode(coder: CountryCoder, areaId: string): string | undefined {
  // territories such as Hong Kong have their own codes; that of Ceuta and Melilla is only reserved
  const withCode = coder
    .featuresContaining(areaId)
    .find(({ properties }) => properties.iso1A2 !== undefined && properties.isoStatus !== 'excRes');
  return withCode?.properties.iso1A2 ?? CODE_BY_AREA[areaId];
}

/** An area of country-coder's data. Where areas overlap, which is rare, the first one counts. */
interface Area {
  readonly properties: { readonly id: string };
  /** Polygons, rings and their points: longitude, latitude. */
  readonly geometry: { readonly coordinates: readonly (readonly (readonly [number, number])[])[][] } | null;
}

/** A part of a ring between two points. */
interface Edge {
  readonly east: readonly [number, number];
  readonly west: readonly [number, number];
  /** Position in the list of areas. */
  readonly area: number;
}

/** Stands for the area of a point that is in none. */
const NO_AREA = 0xffff;
/** With 20 strips per degree, a strip has 38 edges on average, and 80 in the latitude of Germany. */
const STRIPS_PER_DEGREE = 20;
const STRIPS = 180 * STRIPS_PER_DEGREE;
/**
 * Borders are simplified: the longer an edge, the further it may be from the true border. Of the
 * embedded places within 400 m of a border, one in six is on the wrong side; of those from there to
 * 1 km, one in fifty.
 */
const MAX_ERROR_METERS = 500;
const ERROR_PER_LENGTH = 1 / 4;

/**
 * Finds the area around a point, by the edges of areas in strips of equal latitude. A ray from the
 * point to the east crosses the edges of an area an odd number of times if the point is inside.
 * country-coder's own search takes three times as long, because it follows whole borders.
 */
class BorderStrips {
  readonly #starts: Uint32Array;
  readonly #ends: Float64Array;
  readonly #areas: Uint16Array;
  /** By area: 1 if the ray has crossed an odd number of its edges. 0 between searches. */
  readonly #parity: Uint8Array;

  constructor({ codes, starts, ends, areas }: BorderTables) {
    this.#starts = starts;
    this.#ends = ends;
    this.#areas = areas;
    this.#parity = new Uint8Array(codes.length);
  }

  areaAt(lat: number, lng: number): number {
    const strip = stripAt(lat);
    const start = this.#starts[strip]!;
    let end = this.#starts[strip + 1]!;
    const ends = this.#ends;
    for (let i = start; i < end; i++) {
      const eastLng = ends[i * 4]!;
      const eastLat = ends[i * 4 + 1]!;
      const westLat = ends[i * 4 + 3]!;
      if (eastLng < lng) {
        end = i; // all further edges are west of the point too
        break;
      }
      if (eastLat > lat === westLat > lat) continue; // both ends are on the same side of the ray
      const crossingLng = ((ends[i * 4 + 2]! - eastLng) * (lat - eastLat)) / (westLat - eastLat) + eastLng;
      if (lng < crossingLng) this.#parity[this.#areas[i]!]! ^= 1;
    }
    let found = NO_AREA;
    for (let i = start; i < end; i++) {
      const area = this.#areas[i]!;
      if (this.#parity[area] === 1) found = Math.min(found, area);
      this.#parity[area] = 0;
    }
    return found;
  }

  /** The areas with an inexact edge near the point, perhaps on its other side. May repeat areas. */
  areasWithinError(lat: number, lng: number): { readonly area: number; readonly meters: number }[] {
    const areas = [];
    const latError = MAX_ERROR_METERS / METERS_PER_DEGREE;
    const metersPerLng = METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
    const lngError = MAX_ERROR_METERS / metersPerLng;
    const ends = this.#ends;
    for (let i = this.#starts[stripAt(lat - latError)]!; i < this.#starts[stripAt(lat + latError) + 1]!; i++) {
      if (ends[i * 4]! < lng - lngError || ends[i * 4 + 2]! > lng + lngError) continue;
      // the ends of the edge in metres from the point
      const x = (ends[i * 4]! - lng) * metersPerLng;
      const y = (ends[i * 4 + 1]! - lat) * METERS_PER_DEGREE;
      const alongX = (ends[i * 4 + 2]! - lng) * metersPerLng - x;
      const alongY = (ends[i * 4 + 3]! - lat) * METERS_PER_DEGREE - y;
      const length = Math.hypot(alongX, alongY);
      const share = Math.max(0, Math.min(1, -(x * alongX + y * alongY) / (length * length || 1)));
      const meters = Math.hypot(x + share * alongX, y + share * alongY);
      if (meters < Math.min(MAX_ERROR_METERS, length * ERROR_PER_LENGTH)) areas.push({ area: this.#areas[i]!, meters });
    }
    return areas;
  }

  /** Whether an edge of one of the areas is at least partly in the box. `degrees` is half its width. */
  hasEdgeIn(
    { lat, lng, degrees }: LatLng & { readonly degrees: number },
    isSought: (area: number) => boolean,
  ): boolean {
    const [west, east] = [lng - degrees, lng + degrees];
    const ends = this.#ends;
    for (let i = this.#starts[stripAt(lat - degrees)]!; i < this.#starts[stripAt(lat + degrees) + 1]!; i++) {
      const [eastLng, westLng] = [ends[i * 4]!, ends[i * 4 + 2]!];
      if (eastLng < west || westLng > east || !isSought(this.#areas[i]!)) continue;
      const [eastLat, westLat] = [ends[i * 4 + 1]!, ends[i * 4 + 3]!];
      // latitudes of the part of the edge between west and east; the edge may run due north
      const slope = eastLng === westLng ? 0 : (eastLat - westLat) / (eastLng - westLng);
      const fromLat = westLng < west ? westLat + (west - westLng) * slope : westLat;
      const toLat = eastLng > east ? eastLat + (east - eastLng) * slope : eastLat;
      if (Math.min(fromLat, toLat) <= lat + degrees && Math.max(fromLat, toLat) >= lat - degrees) return true;
    }
    return false;
  }
}

function createStrips(unsorted: readonly Edge[]): Pick<BorderTables, 'starts' | 'ends' | 'areas'> {
  const edges = unsorted.toSorted((a, b) => b.east[0] - a.east[0]);
  const starts = new Uint32Array(STRIPS + 1);
  for (const edge of edges) for (const strip of stripsOf(edge)) starts[strip + 1]!++;
  for (let strip = 0; strip < STRIPS; strip++) starts[strip + 1]! += starts[strip]!;
  const ends = new Float64Array(starts[STRIPS]! * 4);
  const areas = new Uint16Array(starts[STRIPS]!);
  const next = starts.slice();
  for (const edge of edges) {
    for (const strip of stripsOf(edge)) {
      const i = next[strip]!++;
      ends.set([...edge.east, ...edge.west], i * 4);
      areas[i] = edge.area;
    }
  }
  return { starts, ends, areas };
}

function listEdges(areas: readonly Area[]): Edge[] {
  return areas.flatMap(({ geometry }, area) =>
    (geometry?.coordinates.flat() ?? []).flatMap((ring) =>
      ring.slice(1).map((point, i): Edge => {
        const previous = ring[i]!;
        return point[0] > previous[0] ? { east: point, west: previous, area } : { east: previous, west: point, area };
      }),
    ),
  );
}

function stripsOf({ east, west }: Edge): number[] {
  const first = stripAt(Math.min(east[1], west[1]));
  const last = stripAt(Math.max(east[1], west[1]));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function stripAt(lat: number): number {
  return Math.max(0, Math.min(STRIPS - 1, Math.floor((lat + 90) * STRIPS_PER_DEGREE)));
}
