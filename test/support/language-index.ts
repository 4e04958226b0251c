/** An index of four GeoNames places whose divisions have names in several languages. */
import { fileURLToPath } from 'node:url';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { openGeonames } from 'toponym-gazetteer/sources/geonames/geonames';

const FOLDER = fileURLToPath(new URL('../fixtures/sources/geonames-languages', import.meta.url));

/** The bytes of the index: Nürnberg and two towns called Roth in Germany, and Paris in Texas. */
export async function aLanguageIndex(): Promise<SharedArrayBuffer> {
  const { chunks } = await buildIndex(await openGeonames([FOLDER]));
  const whole = Buffer.concat(chunks);
  const shared = new SharedArrayBuffer(whole.length);
  new Uint8Array(shared).set(whole);
  return shared;
}
