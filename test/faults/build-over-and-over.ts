/**
 * Builds an index and writes it to the given file repeatedly, until it is killed. The version of
 * each index is "round-build". Prints a line before each build. Started by kill-rounds.ts.
 */

import { writeIndexFile } from 'toponym-files/index-file';
import { buildIndex } from 'toponym-gazetteer/build/build-index';
import { aGazetteer, aPlace } from '../support/an-engine.ts';

const [file = '', round = ''] = process.argv.slice(2);
const places = Array.from({ length: 200 }, (_, i) =>
  aPlace({ id: `${'GN'[i % 2]}${i}`, name: `Place ${i >> 1}`, lat: i / 10 }),
);
for (let build = 1; ; build++) {
  process.stdout.write('building\n');
  const gazetteer = { ...aGazetteer(places), version: `${round}-${build}` };
  writeIndexFile(file, (await buildIndex(gazetteer)).chunks);
}
