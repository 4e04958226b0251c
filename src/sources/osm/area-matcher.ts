/**
 * Finds the area that is the same place as a node: by label, then by seat of government and name,
 * then by Wikidata id, then by position and name.
 */
import type { OsmArea } from './areas.ts';
import type { Tags } from './elements.ts';
import { mainName } from './names.ts';
import { parsePlaceType, seatRank } from './tags.ts';

interface PlaceNode {
  readonly id: number;
  readonly tags: Tags;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
}

export class AreaMatcher {
  // areas without a label, seat or other key are under undefined, which is never looked up
  readonly #byLabel: ReadonlyMap<number | undefined, OsmArea>;
  readonly #bySeat: ReadonlyMap<number | undefined, OsmArea[]>;
  readonly #byWikidata: ReadonlyMap<string | undefined, OsmArea>;
  readonly #byName: ReadonlyMap<string | undefined, OsmArea[]>;
  /** Keyed by kind and id, because merged extracts may list an area twice. */
  readonly #nodeByArea = new Map<string, number>();

  constructor(areas: readonly OsmArea[]) {
    // many municipalities have no place type, so they match only as label or seat
    const placeAreas = areas.filter(({ tags }) => parsePlaceType(tags) !== undefined);
    this.#byLabel = new Map(areas.map((area) => [area.labelNode, area]));
    this.#bySeat = Map.groupBy(areas, ({ seatNode }) => seatNode);
    this.#byWikidata = new Map(placeAreas.map((area) => [area.tags.get('wikidata'), area]));
    this.#byName = Map.groupBy(placeAreas, ({ tags }) => mainName(tags));
  }

  /** Remembers the first match of each area for `matchedNode`. */
  matchArea({ id, tags, name, lat, lng }: PlaceNode): OsmArea | undefined {
    const area =
      this.#byLabel.get(id) ??
      this.#bySeat.get(id)?.find((candidate) => mainName(candidate.tags) === name) ??
      this.#byWikidata.get(tags.get('wikidata') ?? '') ?? // '' finds no area
      this.#byName.get(name)?.find(({ outline }) => outline?.contains(lat, lng));
    if (area !== undefined && this.matchedNode(area) === undefined) this.#nodeByArea.set(`${area.kind}${area.id}`, id);
    return area;
  }

  matchedNode({ kind, id }: OsmArea): number | undefined {
    return this.#nodeByArea.get(`${kind}${id}`);
  }

  /** `Place.adminRank` of a node as the seat of its highest division, or 0. */
  nodeSeatRank(nodeId: number): number {
    const areas = this.#bySeat.get(nodeId) ?? [];
    return Math.max(0, ...areas.map(({ adminLevel }) => (adminLevel === undefined ? 0 : seatRank(adminLevel))));
  }
}
