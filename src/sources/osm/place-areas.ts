/**
 * Matches nodes and areas of an OpenStreetMap extract that are the same place. In this order: the
 * node is the area's label; it is the area's centre and has its name; both have the same Wikidata
 * id; the node is in the area and has its name. Boundaries that are not tagged as a place, such as
 * municipalities, use only the first two rules.
 */
import type { OsmArea } from './areas.ts';
import type { Tags } from './elements.ts';
import { readNames } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { parsePlaceType, seatRank } from './tags.ts';

interface Point {
  readonly tags: Tags;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
}

export class OsmPlaceAreas {
  readonly #byLabel = new Map<number, OsmArea>();
  readonly #byCentre = new Map<number, OsmArea[]>();
  readonly #byWikidata = new Map<string, OsmArea>();
  readonly #byName = new Map<string, OsmArea[]>();
  readonly #seatRanks = new Map<number, number>();
  readonly #matchedNodes = new Map<OsmArea, number>();

  constructor(areas: readonly OsmArea[]) {
    for (const area of areas) this.#add(area);
  }

  /** Finds the area that is the same place as a node, and records the match. */
  matchArea(nodeId: number, point: Point): OsmArea | undefined {
    const area =
      this.#byLabel.get(nodeId) ??
      this.#byCentre.get(nodeId)?.find((one) => mainName(one) === point.name) ??
      this.#byWikidata.get(point.tags.get('wikidata') ?? '') ??
      this.#byName.get(point.name)?.find((one) => contains(one, point));
    if (area !== undefined && !this.#matchedNodes.has(area)) this.#matchedNodes.set(area, nodeId);
    return area;
  }

  /** The first node that matched the area, if any. */
  matchedNode(area: OsmArea): number | undefined {
    return this.#matchedNodes.get(area);
  }

  /** Rank of the highest division whose centre is the node; 0 if there is none. */
  seatRank(nodeId: number): number {
    return this.#seatRanks.get(nodeId) ?? 0;
  }

  #add(area: OsmArea): void {
    const { labelNode, centreNode, adminLevel, tags } = area;
    if (labelNode !== undefined) this.#byLabel.set(labelNode, area);
    if (centreNode !== undefined) {
      this.#byCentre.set(centreNode, [...(this.#byCentre.get(centreNode) ?? []), area]);
      const rank = adminLevel === undefined ? 0 : seatRank(adminLevel);
      this.#seatRanks.set(centreNode, Math.max(rank, this.#seatRanks.get(centreNode) ?? 0));
    }
    if (parsePlaceType(tags) === undefined) return;
    const wikidata = tags.get('wikidata');
    if (wikidata !== undefined) this.#byWikidata.set(wikidata, area);
    const name = mainName(area);
    if (name !== undefined) this.#byName.set(name, [...(this.#byName.get(name) ?? []), area]);
  }
}

function mainName(area: OsmArea): string | undefined {
  return readNames(area.tags)[0]?.value;
}

function contains(area: OsmArea, { lat, lng }: Point): boolean {
  return area.outline?.contains(lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE) ?? false;
}
