/**
 * The divisions of the newer list, and those of today for places of 2023. Divisions have since been
 * merged, split and renumbered. Their former names become aliases of the divisions in their place.
 */
import { addToGroup } from 'toponym-engine/collections/sets';
import type { Region } from 'toponym-engine/place/place';
import { fold } from 'toponym-engine/text/fold';
import type { DivisionKeys } from '../regions/known-divisions.ts';
import { collectAliases, createRegions, type RegionRow, readFormerRegions } from '../regions/regions.ts';
import type { ListedCity } from './cities-package.ts';
import type { Join, KnownPlace } from './join.ts';
import { PointGrid } from './point-grid.ts';

/** A division that has this share of the places of a former one is in its place. */
const MIN_SHARE = 0.1;
/** Enough for the nearest place of the same former division. */
const MAX_METERS = 300_000;

type Level = 'admin1' | 'admin2';
type Pair = readonly [place: KnownPlace, city: ListedCity];

export class CurrentDivisions {
  readonly regions: readonly Region[];
  readonly #cityOf: Join['cityOf'];
  readonly #rowsByKey: ReadonlyMap<string, RegionRow>;
  /** Places that have a listed city, by former division. */
  readonly #pairsByDivision: ReadonlyMap<string, readonly Pair[]>;
  /** By key: see `#hasChanged`. */
  readonly #changes = new Map<string, boolean>();
  /** Points of these places, by former division. Created at first use. */
  readonly #grids = new Map<string, PointGrid<KnownPlace>>();

  constructor(rows: readonly RegionRow[], cityOf: Join['cityOf']) {
    this.#cityOf = cityOf;
    this.#rowsByKey = new Map(rows.map((row) => [row.key, row]));
    this.#pairsByDivision = groupByDivision(cityOf);
    const formerNames = this.#formerNames(rows);
    this.regions = createRegions(rows, ({ key }) => ({ aliases: formerNames.get(key) ?? [] }));
  }

  /** The divisions of a place, as far as they are known. */
  keysOf(place: KnownPlace): DivisionKeys {
    return this.keysOfCity(this.#cityOf.get(place) ?? this.#formerNeighbour(place) ?? place);
  }

  keysOfCity({ admin1, admin2 }: Pick<ListedCity | KnownPlace, Level>): DivisionKeys {
    if (admin1 === undefined || !this.#rowsByKey.has(admin1)) return {};
    return admin2 === undefined || !this.#rowsByKey.has(admin2) ? { admin1 } : { admin1, admin2 };
  }

  /** If a division of the place has changed, the listed city nearest to it that was in the division, too. */
  #formerNeighbour(place: KnownPlace): ListedCity | undefined {
    const changed = ([place.admin2, place.admin1] as const).find((key) => key !== undefined && this.#hasChanged(key));
    if (changed === undefined) return undefined;
    let grid = this.#grids.get(changed);
    if (grid === undefined) {
      grid = new PointGrid((this.#pairsByDivision.get(changed) ?? []).map(([other]) => other));
      this.#grids.set(changed, grid);
    }
    const neighbour = grid.nearest(place, MAX_METERS);
    return neighbour && this.#cityOf.get(neighbour);
  }

  /** Whether the key is gone, or stands for another division now. */
  #hasChanged(key: string): boolean {
    let hasChanged = this.#changes.get(key);
    if (hasChanged === undefined) {
      const pairs = this.#pairsByDivision.get(key) ?? [];
      const level = levelOf(key);
      const kept = pairs.filter(([, city]) => city[level] === key).length;
      hasChanged = !this.#rowsByKey.has(key) || kept < pairs.length / 2;
      this.#changes.set(key, hasChanged);
    }
    return hasChanged;
  }

  /** By the key of a division, the names of former divisions whose places it has. */
  #formerNames(rows: readonly RegionRow[]): Map<string, string[]> {
    const names = new Map<string, string[]>();
    const currentNames = new Set(rows.map(({ key, name }) => `${key.slice(0, 2)} ${fold(name)}`));
    for (const former of readFormerRegions()) {
      const country = former.key.slice(0, 2);
      const aliases = [former.name, ...collectAliases(former, former.name)].filter((alias) => {
        return !currentNames.has(`${country} ${fold(alias)}`);
      });
      for (const key of this.#successors(former.key)) {
        for (const alias of aliases) addToGroup(names, key, alias);
      }
    }
    return names;
  }

  #successors(formerKey: string): string[] {
    const pairs = this.#pairsByDivision.get(formerKey) ?? [];
    const level = levelOf(formerKey);
    const counts = Map.groupBy(pairs, ([, city]) => city[level]);
    return [...counts].flatMap(([key, { length }]) =>
      key !== undefined && key !== formerKey && length >= MIN_SHARE * pairs.length ? [key] : [],
    );
  }
}

function groupByDivision(cityOf: Join['cityOf']): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of cityOf) {
    for (const key of [pair[0].admin1, pair[0].admin2]) if (key !== undefined) addToGroup(groups, key, pair);
  }
  return groups;
}

function levelOf(key: string): Level {
  return key.split('.').length === 2 ? 'admin1' : 'admin2';
}
