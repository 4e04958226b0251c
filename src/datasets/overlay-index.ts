/** Builds the index of an overlay file in memory, to be opened on top of the main index. */
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

export function overlaySource(givenPath: string) {
  const path = resolve(givenPath);
  return { path, build: (index: SharedArrayBuffer) => buildOverlay(path, index) };
}

async function buildOverlay(path: string, bytes: SharedArrayBuffer): Promise<SharedArrayBuffer> {
  const text = readOverlay(path);
  const index = openIndex(bytes);
  const places = openPlaces(index);
  const gazetteer = overlayGazetteer(
    parseOverlay(text, path),
    {
      regions: places.regions.values(),
      place: (id) => {
        const found = findPlace(index, id);
        if (found === undefined) return undefined;
        return { ...places.place(found), importance: index.placeImportance[found]! / 0xffff };
      },
    },
    { version: `overlay-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`, countries: createCountries() },
  );
  const built = Buffer.concat((await buildIndex(gazetteer)).chunks);
  const shared = new SharedArrayBuffer(built.length);
  new Uint8Array(shared).set(built);
  return shared;
}

function readOverlay(path: string): string {
  try {
    return readTextFile(path, MAX_OVERLAY_BYTES);
  } catch (error) {
    throw new UsageError(`The overlay ${path} cannot be read: ${errorMessage(error)}.`, { cause: error });
  }
}
