/** Finds the country at a point by simplified world borders, accurate to about a kilometre. */
import { type Area, BorderStrips, type Edge, listEdges } from './border-strips.ts';

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
  /** `box`: west, south, east, north. */
  iso1A2Codes(box: [number, number, number, number]): string[];
}

interface AreaCodes {
  readonly iso1A2?: string | undefined;
  readonly isoStatus?: string | undefined;
}

/** About the error of the borders. */
const NEAR_DEGREES = 0.02;
/**
 * With 4 cells per degree, the cells take 2 MB, and a border crosses the cell of one place in 4.
 */
const CELLS_PER_DEGREE = 4;
const ROWS = 180 * CELLS_PER_DEGREE;
const COLUMNS = 360 * CELLS_PER_DEGREE;
/** Value of a cell in which no point has been searched yet. */
const UNKNOWN = 0xfffe;
/** Value of a cell that a border may cross. */
const CROSSED = 0xfffd;
/** Northern Cyprus has no code of its own. Gazetteers put its places into Cyprus. */
const CODE_BY_AREA: Readonly<Record<string, string>> = { Q23681: 'CY' };

/** Takes 0.2 s, and about 35 MB with the package. */
export function createWorldBorders(coder: CountryCoder): WorldBorders {
  const areas = (coder.borders.features as readonly Area[]).filter(({ geometry }) => geometry !== null);
  const codes = areas.map(({ properties }) => officialCode(coder, properties.id)); // undefined for NO_AREA
  const cells = new BorderCells(listEdges(areas), areas.length);
  return {
    countryAt(lat, lng) {
      // the eastern edge of a country is not in it, so 180 would be in none
      const country = codes[cells.areaAt(lat, lng === 180 ? -180 : lng)];
      if (country !== undefined || Math.abs(lng) < 180 - NEAR_DEGREES) return country;
      return codes[cells.areaAt(lat, 180 - NEAR_DEGREES)]; // Russia has a gap east of the antimeridian
    },
    countriesWithinError(lat, lng) {
      return cells.areasWithinError(lat, lng).map(({ area, meters }) => ({ country: codes[area], meters }));
    },
    isNear(country, lat, lng, degrees = NEAR_DEGREES) {
      return coder.iso1A2Codes([lng - degrees, lat - degrees, lng + degrees, lat + degrees]).includes(country);
    },
  };
}

/** Finds the area around a point. All points of a cell without borders are in the same area. */
class BorderCells {
  readonly #strips: BorderStrips;
  /** By row, then by column: the area of all points of the cell. */
  readonly #areas = new Uint16Array(ROWS * COLUMNS).fill(UNKNOWN);

  constructor(edges: readonly Edge[], areaCount: number) {
    this.#strips = new BorderStrips(edges, areaCount);
    for (const { east, west } of edges) {
      const lastRow = rowAt(Math.max(east[1], west[1]));
      for (let row = rowAt(Math.min(east[1], west[1])); row <= lastRow; row++) {
        this.#areas.fill(CROSSED, row * COLUMNS + columnAt(west[0]), row * COLUMNS + columnAt(east[0]) + 1);
      }
    }
  }

  areaAt(lat: number, lng: number): number {
    const cell = rowAt(lat) * COLUMNS + columnAt(lng);
    const known = this.#areas[cell]!;
    if (known !== UNKNOWN && known !== CROSSED) return known;
    const area = this.#strips.areaAt(lat, lng);
    if (known === UNKNOWN) this.#areas[cell] = area;
    return area;
  }

  areasWithinError(lat: number, lng: number): { readonly area: number; readonly meters: number }[] {
    const isCrossed = this.#areas[rowAt(lat) * COLUMNS + columnAt(lng)] === CROSSED;
    return isCrossed ? this.#strips.areasWithinError(lat, lng) : [];
  }
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
