/**
 * Which areas and points of an OpenStreetMap extract are the same place: the area names the point as its label, or both have
 * the same Wikidata id, or the point lies in the area and has its name. A boundary that is not itself tagged as a place (a
 * municipality) belongs to its label only, or to the seat it shares its name with.
 */
import type { OsmArea } from './areas.ts';
import type { Tags } from './elements.ts';
import { namesOfTags } from './names.ts';
import { UNITS_PER_DEGREE } from './outline.ts';
import { rankOfSeat, typeOfTags } from './tags.ts';

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
  readonly #ranks = new Map<number, number>();
  readonly #nodes = new Map<OsmArea, number>();

  constructor(areas: readonly OsmArea[]) {
    for (const area of areas) this.#enter(area);
  }

  /** The area that is the same place as a point; remembers the point as its. */
  areaOf(nodeId: number, point: Point): OsmArea | undefined {
    const area =
      this.#byLabel.get(nodeId) ??
      this.#byCentre.get(nodeId)?.find((one) => nameOf(one) === point.name) ??
      this.#byWikidata.get(point.tags.get('wikidata') ?? '') ??
      this.#byName.get(point.name)?.find((one) => isIn(one, point));
    if (area !== undefined && !this.#nodes.has(area)) this.#nodes.set(area, nodeId);
    return area;
  }

  /** The point that turned out to be the same place. */
  nodeOf(area: OsmArea): number | undefined {
    return this.#nodes.get(area);
  }

  /** How high the division is whose seat a point is. */
  rankOfSeat(nodeId: number): number {
    return this.#ranks.get(nodeId) ?? 0;
  }

  #enter(area: OsmArea): void {
    const { labelNode, centreNode, adminLevel, tags } = area;
    if (labelNode !== undefined) this.#byLabel.set(labelNode, area);
    if (centreNode !== undefined) {
      this.#byCentre.set(centreNode, [...(this.#byCentre.get(centreNode) ?? []), area]);
      const rank = adminLevel === undefined ? 0 : rankOfSeat(adminLevel);
      this.#ranks.set(centreNode, Math.max(rank, this.#ranks.get(centreNode) ?? 0));
    }
    if (typeOfTags(tags) === undefined) return;
    const wikidata = tags.get('wikidata');
    if (wikidata !== undefined) this.#byWikidata.set(wikidata, area);
    const name = nameOf(area);
    if (name !== undefined) this.#byName.set(name, [...(this.#byName.get(name) ?? []), area]);
  }
}

function nameOf(area: OsmArea): string | undefined {
  return namesOfTags(area.tags)[0]?.value;
}

function isIn(area: OsmArea, { lat, lng }: Point): boolean {
  return area.outline?.contains(lat * UNITS_PER_DEGREE, lng * UNITS_PER_DEGREE) ?? false;
}
