/**
 * Finds the area that is the same place as a node. In this order: the node is the area's label; it
 * is the area's centre and has its name; both have the same Wikidata id; the node is in the area
 * and has its name. Boundaries that are not tagged as a place, such as municipalities, use only the
 * first two rules.
 */
import type { OsmArea } from './areas.ts';
import type { Tags } from './elements.ts';
import { readNames } from './names.ts';
import { parsePlaceType, seatRank } from './tags.ts';

interface PlaceNode {
  readonly id: number;
  readonly tags: Tags;
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
}

export class AreaMatcher {
  readonly #byLabel = new Map<number, OsmArea>();
  readonly #byCentre = new Map<number, OsmArea[]>();
  readonly #byWikidata = new Map<string, OsmArea>();
  readonly #byName = new Map<string, OsmArea[]>();
  readonly #matchedNodes = new Map<OsmArea, number>();

  constructor(areas: readonly OsmArea[]) {
    for (const area of areas) this.#add(area);
  }

  /** Finds the area that is the same place as the node, and remembers the match. */
  matchArea({ id, tags, name, lat, lng }: PlaceNode): OsmArea | undefined {
    const area =
      this.#byLabel.get(id) ??
      this.#byCentre.get(id)?.find((candidate) => mainName(candidate) === name) ??
      this.#byWikidata.get(tags.get('wikidata') ?? '') ??
      this.#byName.get(name)?.find(({ outline }) => outline?.contains(lat, lng));
    if (area !== undefined && !this.#matchedNodes.has(area)) this.#matchedNodes.set(area, id);
    return area;
  }

  /** The first node that matched the area, if any. */
  matchedNode(area: OsmArea): number | undefined {
    return this.#matchedNodes.get(area);
  }

  /** Rank of the highest division whose centre is the node; 0 if there is none. */
  seatRank(nodeId: number): number {
    const areas = this.#byCentre.get(nodeId) ?? [];
    return Math.max(0, ...areas.map(({ adminLevel }) => (adminLevel === undefined ? 0 : seatRank(adminLevel))));
  }

  #add(area: OsmArea): void {
    const { labelNode, centreNode, tags } = area;
    if (labelNode !== undefined) this.#byLabel.set(labelNode, area);
    if (centreNode !== undefined) addToList(this.#byCentre, centreNode, area);
    if (parsePlaceType(tags) === undefined) return;
    const wikidata = tags.get('wikidata');
    if (wikidata !== undefined) this.#byWikidata.set(wikidata, area);
    const name = mainName(area);
    if (name !== undefined) addToList(this.#byName, name, area);
  }
}

function addToList<Key>(lists: Map<Key, OsmArea[]>, key: Key, area: OsmArea): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [area]);
  else list.push(area);
}

function mainName(area: OsmArea): string | undefined {
  return readNames(area.tags)[0]?.value;
}
