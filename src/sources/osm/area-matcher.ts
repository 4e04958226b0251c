/**
 * Finds the area that is the same place as a node, by the first of these rules that finds one:
 * 1. The node is the area's label, the point at which maps print its name.
 * 2. The node is the area's seat of government, and both have the same name.
 * 3. Both have the same Wikidata id.
 * 4. The node is in the area, and both have the same name.
 * Rules 1 and 2 also find areas without a place type, such as many municipalities; 3 and 4 do not.
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
  // areas without a label, seat, … are under the key undefined, which is never looked up
  readonly #byLabel: ReadonlyMap<number | undefined, OsmArea>;
  readonly #bySeat: ReadonlyMap<number | undefined, OsmArea[]>;
  readonly #byWikidata: ReadonlyMap<string | undefined, OsmArea>;
  readonly #byName: ReadonlyMap<string | undefined, OsmArea[]>;
  /** By kind and id of the area, not by object: merged extracts may list an area twice. */
  readonly #nodeByArea = new Map<string, number>();

  constructor(areas: readonly OsmArea[]) {
    const placeAreas = areas.filter(({ tags }) => parsePlaceType(tags) !== undefined);
    this.#byLabel = new Map(areas.map((area) => [area.labelNode, area]));
    this.#bySeat = Map.groupBy(areas, ({ seatNode }) => seatNode);
    this.#byWikidata = new Map(placeAreas.map((area) => [area.tags.get('wikidata'), area]));
    this.#byName = Map.groupBy(placeAreas, ({ tags }) => mainName(tags));
  }

  /** Finds an area by the rules above, and remembers the match. */
  matchArea({ id, tags, name, lat, lng }: PlaceNode): OsmArea | undefined {
    const area =
      this.#byLabel.get(id) ??
      this.#bySeat.get(id)?.find((candidate) => mainName(candidate.tags) === name) ??
      this.#byWikidata.get(tags.get('wikidata') ?? '') ?? // '' finds no area
      this.#byName.get(name)?.find(({ outline }) => outline?.contains(lat, lng));
    if (area !== undefined && this.matchedNode(area) === undefined) this.#nodeByArea.set(`${area.kind}${area.id}`, id);
    return area;
  }

  /** Id of the first node that matched the area, if any. */
  matchedNode({ kind, id }: OsmArea): number | undefined {
    return this.#nodeByArea.get(`${kind}${id}`);
  }

  /** `Place.adminRank` of a node as the seat of its highest division; 0 if it is not a seat. */
  nodeSeatRank(nodeId: number): number {
    const areas = this.#bySeat.get(nodeId) ?? [];
    return Math.max(0, ...areas.map(({ adminLevel }) => (adminLevel === undefined ? 0 : seatRank(adminLevel))));
  }
}
