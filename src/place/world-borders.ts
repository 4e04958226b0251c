/** Finds the country at a point by simplified world borders, accurate to about a kilometre. */
import { createRequire } from 'node:module';

export interface WorldBorders {
  /** ISO 3166-1 alpha-2 code. Most points at sea are in no country. */
  countryAt(lat: number, lng: number): string | undefined;
  /** Whether a part of the country is within some degrees of the point, north, south, east or west. */
  isNear(country: string, lat: number, lng: number, degrees?: number): boolean;
}

/** About the error of the borders. */
const NEAR_DEGREES = 0.02;
type CountryCoder = typeof import('@rapideditor/country-coder');

const require = createRequire(import.meta.url);

/** Cells of the grid per degree. */
const CELLS_PER_DEGREE = 4;
const GRID_WIDTH = 360 * CELLS_PER_DEGREE;
/** States of a cell. Higher values are 2 plus a position in the list of countries. */
const CELL = { notLookedUp: 0, mixed: 1 } as const;
const FIRST_COUNTRY = 2;

/** Loading takes about 90 ms and 30 MB, so load the borders when they are first needed. */
export function loadWorldBorders(): WorldBorders {
  const coder = require('@rapideditor/country-coder') as CountryCoder;
  const grid = new CountryGrid(coder);
  return {
    countryAt: (lat, lng) => grid.countryAt(lat, lng),
    isNear(country, lat, lng, degrees = NEAR_DEGREES) {
      return coder.iso1A2Codes([lng - degrees, lat - degrees, lng + degrees, lat + degrees]).includes(country);
    },
  };
}

/**
 * Remembers which cells of a grid are in one country, because the borders take 5 µs per point. The
 * other cells contain a border or a coast.
 */
class CountryGrid {
  readonly #coder: CountryCoder;
  readonly #cells = new Uint16Array(GRID_WIDTH * 180 * CELLS_PER_DEGREE);
  readonly #countries: string[] = [];

  constructor(coder: CountryCoder) {
    this.#coder = coder;
  }

  countryAt(lat: number, lng: number): string | undefined {
    const row = Math.floor((lat + 90) * CELLS_PER_DEGREE);
    const column = Math.floor((lng + 180) * CELLS_PER_DEGREE);
    const cell = row * GRID_WIDTH + column;
    if (this.#cells[cell] === CELL.notLookedUp) this.#cells[cell] = this.#lookUpCell(row, column);
    const state = this.#cells[cell] ?? CELL.mixed; // undefined at the North Pole
    return state < FIRST_COUNTRY ? this.#lookUp(lat, lng) : this.#countries[state - FIRST_COUNTRY];
  }

  #lookUpCell(row: number, column: number): number {
    const south = row / CELLS_PER_DEGREE - 90;
    const west = column / CELLS_PER_DEGREE - 180;
    const [north, east] = [south + 1 / CELLS_PER_DEGREE, west + 1 / CELLS_PER_DEGREE];
    // counts features below the level of countries too
    const features = this.#coder.featuresContaining([west, south, east, north]).filter(({ geometry }) => geometry);
    const country = this.#lookUp(south, west);
    const corners = [this.#lookUp(south, east), this.#lookUp(north, west), this.#lookUp(north, east)];
    if (features.length > 1 || country === undefined || corners.some((corner) => corner !== country)) return CELL.mixed;
    const known = this.#countries.indexOf(country);
    return FIRST_COUNTRY + (known < 0 ? this.#countries.push(country) - 1 : known);
  }

  #lookUp(lat: number, lng: number): string | undefined {
    // territories such as Hong Kong have their own codes; those of Ceuta and others are not official
    const territory = this.#coder.feature([lng, lat], { level: 'territory' })?.properties;
    const code = territory?.isoStatus === 'excRes' ? undefined : territory?.iso1A2;
    return code ?? this.#coder.iso1A2Code([lng, lat]) ?? undefined;
  }
}
