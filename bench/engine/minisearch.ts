/** MiniSearch as its README recommends, boosted by population and distance. */
import MiniSearch from 'minisearch';
import { distanceMeters } from 'toponym-engine/place/sphere';
import { fold } from 'toponym-engine/text/fold';
import { installedVersion, type Peer } from '../peer.ts';
import type { BenchPlace } from '../places.ts';
import type { TextQuery } from '../queries.ts';

interface Document {
  readonly id: number;
  readonly name: string;
  readonly asciiName: string;
  readonly region: string;
}

const NAMES = ['name', 'asciiName'];
const NEAR_METERS = 50_000;

let all: readonly BenchPlace[];
let boosts: Float64Array;
const index = new MiniSearch<Document>({ fields: [...NAMES, 'region'], processTerm: fold });

export const peer: Peer<TextQuery> = {
  name: 'MiniSearch',
  version: installedVersion('minisearch'),
  // Name, ASCII name, and region with country (searched only if the text has a comma). `fuzzy:
  // 0.2`, `prefix` on the last word, all words required, `boostDocument` by log of population, and
  // by distance if there is a point.
  load(places) {
    all = places;
    boosts = Float64Array.from(places, ({ population }) => 1 + Math.log10(1 + population));
    index.addAll(
      places.map(({ name, asciiName, region, country }, id) => ({
        id,
        name,
        asciiName,
        region: `${region} ${country}`,
      })),
    );
  },
  search({ text, near }, limit) {
    const found = index.search(text, {
      fields: text.includes(', ') ? [...NAMES, 'region'] : NAMES,
      boost: { region: 0.5 },
      prefix: (_term, position, terms) => position === terms.length - 1,
      fuzzy: 0.2,
      combineWith: 'AND',
      boostDocument: (id) => {
        if (near === undefined) return boosts[id]!;
        const { lat, lng } = all[id]!;
        return boosts[id]! / (1 + distanceMeters(near.lat, near.lng, lat, lng) / NEAR_METERS);
      },
    });
    return found.slice(0, limit).map(({ id }) => all[id]!.id);
  },
};
