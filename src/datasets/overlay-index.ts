/** Builds a small index in memory from an overlay: a file of corrections to the base index. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { buildIndex } from '../build/build-index.ts';
import { errorMessage } from '../errors/error-message.ts';
import { UsageError } from '../errors/usage-error.ts';
import { readTextFile } from '../files/regular-file.ts';
import { findPlace } from '../index-file/find-place.ts';
import { openIndex } from '../index-file/open-index.ts';
import { openPlaces } from '../index-file/read-places.ts';
import { overlayGazetteer } from '../sources/overlay/gazetteer.ts';
import { parseOverlay } from '../sources/overlay/lines.ts';
import { createCountries } from '../sources/regions/countries.ts';

const MAX_OVERLAY_BYTES = 64 * 1024 * 1024;
/** An index stores importance as an integer from 0 to this; `Place.importance` is from 0 to 1. */
const MAX_IMPORTANCE = 0xffff;

/** The overlay's file, and a function that reads it and builds its index. */
export function overlaySource(givenPath: string) {
  const path = resolve(givenPath);
  return { path, build: (baseIndex: SharedArrayBuffer) => buildOverlay(path, baseIndex) };
}

async function buildOverlay(path: string, baseIndex: SharedArrayBuffer): Promise<SharedArrayBuffer> {
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
        return { ...places.readPlace(denseId), importance: base.placeImportance[denseId]! / MAX_IMPORTANCE };
      },
    },
    { version: `overlay-${hash.slice(0, 8)}`, countries: createCountries() },
  );
  const bytes = Buffer.concat((await buildIndex(gazetteer)).chunks);
  const shared = new SharedArrayBuffer(bytes.length);
  new Uint8Array(shared).set(bytes);
  return shared;
}

function readOverlay(path: string): string {
  try {
    return readTextFile(path, MAX_OVERLAY_BYTES);
  } catch (error) {
    throw new UsageError(`The overlay ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}
