/** Builds a small index in memory from an overlay: a file of corrections to the base index. */

import { createHash } from 'node:crypto';
import { buildIndex } from '../build/build-index.ts';
import { errorReason, UsageError } from '../errors/errors.ts';
import { readTextFile } from '../files/regular-file.ts';
import { type Index, MAX_IMPORTANCE } from '../index-file/layout.ts';
import { openIndex } from '../index-file/open-index.ts';
import { findPlace, readPopulation } from '../index-file/packed-record.ts';
import { openPlaces } from '../index-file/read-places.ts';
import { MIN_CITY_POPULATION } from '../place/place.ts';
import { overlayGazetteer, parseOverlay } from '../sources/overlay.ts';
import { createCountries } from '../sources/regions/countries.ts';

const MAX_OVERLAY_BYTES = 64 * 1024 * 1024;
/** An index stores importance as an integer from 0 to this. */

export async function buildOverlay(
  path: string,
  baseIndex: ArrayBuffer | SharedArrayBuffer,
): Promise<SharedArrayBuffer> {
  const text = readOverlay(path);
  const base = openIndex(baseIndex);
  const places = openPlaces(base);
  const hash = createHash('sha256').update(text).digest('hex');
  const gazetteer = overlayGazetteer(
    parseOverlay(text, path),
    {
      regions: places.regions.values(),
      place: (id) => {
        const denseId = findPlace(base, id); // the place's number in the base index
        if (denseId === undefined) return undefined;
        // `readPlace` leaves out the importance
        return { ...places.readPlace(denseId), importance: base.placeImportance[denseId]! / MAX_IMPORTANCE };
      },
    },
    { version: `overlay-${hash.slice(0, 8)}`, countries: createCountries() },
  );
  const replaced = new Set(gazetteer.replaces);
  const readBaseCities = () => readCities(base, places).filter(({ id }) => !replaced.has(id));
  const bytes = Buffer.concat((await buildIndex(gazetteer, undefined, { readBaseCities })).chunks);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

/** Suburban areas of the overlay may belong to these cities. */
function* readCities(base: Index, { readPlace }: ReturnType<typeof openPlaces>) {
  for (let denseId = 0; denseId < base.metadata.places; denseId++) {
    if (readPopulation(base, denseId) < MIN_CITY_POPULATION) continue;
    const place = readPlace(denseId);
    if (place.type !== 'suburban area') yield place;
  }
}

function readOverlay(path: string): string {
  try {
    return readTextFile(path, MAX_OVERLAY_BYTES);
  } catch (error) {
    throw new UsageError(`The overlay ${path} cannot be read: ${errorReason(error)}.`, { cause: error });
  }
}
