/** Small files of GeoNames and OpenStreetMap, under the names that the documentation uses. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { servePlainHttp, status, wellServed } from '../../packages/gazetteer/test/fetch/file-server.ts';
import { writeZip } from '../../packages/gazetteer/test/sources/input/write-zip.ts';
import { writeOsm } from '../../packages/gazetteer/test/sources/osm/write-osm.ts';
import { createAuthority } from '../support/certificate-authority.ts';

const SOURCES = fileURLToPath(new URL('../fixtures/sources', import.meta.url));
const TABLES = ['admin1CodesASCII.txt', 'admin2Codes.txt', 'countryInfo.txt'];
const DUMPS = ['cities500', 'allCountries', 'FR'];

function geonamesFile(name: string): Buffer {
  return readFileSync(join(SOURCES, 'geonames', name));
}

/** The places of Liechtenstein, under another name. */
function dump(name: string): Buffer {
  return writeZip({ name: `${name}.txt`, content: geonamesFile('LI.txt') });
}

function alternateNames(): Buffer {
  return writeZip({ name: 'alternateNamesV2.txt', content: geonamesFile('alternateNamesV2.txt') });
}

export function writeSourceFiles(folder: string): void {
  for (const name of TABLES) copyFileSync(join(SOURCES, 'geonames', name), join(folder, name));
  for (const name of DUMPS) writeFileSync(join(folder, `${name}.zip`), dump(name));
  writeFileSync(join(folder, 'allCountries.txt'), geonamesFile('LI.txt'));
  writeFileSync(join(folder, 'alternateNamesV2.zip'), alternateNames());
  writeFileSync(join(folder, 'own.ndjson.gz'), gzipSync(readFileSync(join(SOURCES, 'own.ndjson'))));
  const tags = { place: 'town', name: 'Vaduz', 'is_in:country_code': 'LI' };
  writeFileSync(join(folder, 'liechtenstein.osm.pbf'), writeOsm({ nodes: [{ id: 1, lat: 47.14, lng: 9.52, tags }] }));
}

/** A client's certificate and its authority. */
export async function writeClientCertificate(folder: string): Promise<void> {
  const authority = await createAuthority('Clients');
  const { cert, key } = await authority.clientPair();
  writeFileSync(join(folder, 'clients.pem'), authority.cert);
  writeFileSync(join(folder, 'client.pem'), cert);
  writeFileSync(join(folder, 'client.key'), key);
}

/** Serves the files as GeoNames does. Returns the URL for `toponym update`. */
export async function serveGeonames(context: Pick<TestContext, 'after'>): Promise<string> {
  const files = new Map<string, Buffer>([
    ...TABLES.map((name) => [`/${name}`, geonamesFile(name)] as const),
    ...DUMPS.map((name) => [`/${name}.zip`, dump(name)] as const),
    ['/alternateNamesV2.zip', alternateNames()] as const,
  ]);
  const url = await servePlainHttp(context, (request, response) => {
    const content = files.get(request.url ?? '');
    (content === undefined ? status(404) : wellServed(content))(request, response);
  });
  return url.href;
}
